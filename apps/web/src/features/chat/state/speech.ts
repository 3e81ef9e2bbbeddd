import { createStore, useStore } from "../../../lib/store.ts";
import { toast } from "../../../lib/toast.ts";

/** The turn being read aloud; null when silent. */
const speaking = createStore<string | null>(null);
let current: AbortController | null = null;
export const useSpeaking = (key: string): boolean => useStore(speaking, (value) => value === key);
/** Whether the browser has a voice. */
export const canSpeak = (): boolean => "speechSynthesis" in globalThis;

export function stopSpeaking(): void {
  current?.abort();
  current = null;
  speaking.set(() => null);
}

/**
 * Reads an answer aloud. `stored`: where the server finds it, if it has a voice.
 */
export async function speak(
  key: string,
  markdown: string,
  stored: { slug: string; chatId: number } | null,
): Promise<void> {
  stopSpeaking();
  const stopping = new AbortController();
  const { signal } = stopping;
  current = stopping;
  speaking.set(() => key);
  try {
    const { readAloud } = await import("./read-aloud.ts");
    await readAloud(markdown, stored, signal);
  } catch (error) {
    if (!signal.aborted) toast.error(error instanceof Error ? error.message : String(error));
  }
  if (!signal.aborted) stopSpeaking();
}
