import { createStore, useStore } from "../../../lib/store.ts";

/** The turn being read aloud; null when silent. */
const speaking = createStore<string | null>(null);
export const useSpeaking = (key: string): boolean => useStore(speaking, (value) => value === key);
export const canSpeak = (): boolean => "speechSynthesis" in globalThis;

/** Markdown as spoken text: without markup, citations, code fences and URLs. */
export const spokenWords = (markdown: string): string =>
  markdown
    .replace(/```[\s\S]*?(```|$)/g, " ")
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/ ?\[\d+\]/g, "")
    .replace(/^\s*\|?[\s:|-]+\|?\s*$/gm, "")
    .replace(/[*`~]|\b_+|_+\b/g, "")
    .replace(/[#>|]/g, " ")
    .replace(/[ \t]+/g, " ")
    .trim();

/**
 * Browsers cut off long utterances after some seconds, so the text is spoken in pieces that end
 * with a sentence.
 */
function splitSpeech(text: string): string[] {
  const sentences = [...new Intl.Segmenter(undefined, { granularity: "sentence" }).segment(text)]
    .map((each) => each.segment.trim())
    .filter(Boolean);
  return sentences.reduce<string[]>((all, sentence) => {
    const last = all.at(-1);
    if (last !== undefined && last.length + sentence.length < 200)
      all[all.length - 1] = `${last} ${sentence}`;
    else all.push(sentence);
    return all;
  }, []);
}

export function stopSpeaking(): void {
  speaking.set(() => null);
  if (canSpeak()) speechSynthesis.cancel();
}
export function speak(key: string, markdown: string): void {
  stopSpeaking();
  const parts = splitSpeech(spokenWords(markdown));
  if (parts.length === 0) return;
  speaking.set(() => key);
  parts.forEach((part, index) => {
    const utterance = new SpeechSynthesisUtterance(part);
    const end = (): void => {
      if (speaking.get() === key) speaking.set(() => null);
    };
    if (index === parts.length - 1) utterance.onend = end;
    utterance.onerror = (event) => {
      if (event.error !== "interrupted" && event.error !== "canceled") end();
    };
    speechSynthesis.speak(utterance);
  });
}
