import { createStore, useStore } from "../../../lib/store.ts";

/** The turn that the browser's voice reads; null while it is silent. */
const speaking = createStore<string | null>(null);
export const useSpeaking = (key: string): boolean => useStore(speaking, (value) => value === key);
export const canSpeak = (): boolean => "speechSynthesis" in globalThis;

/** What is said aloud of Markdown: its words, without marks, code fences and addresses. */
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
 * Browsers stop a long utterance after some seconds: it is said in pieces at the ends of sentences.
 */
function pieces(text: string): string[] {
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
  const parts = pieces(spokenWords(markdown));
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
