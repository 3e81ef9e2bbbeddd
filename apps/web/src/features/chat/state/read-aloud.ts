import { toSpokenText } from "@carrel/contracts/spoken-text";
import { playSpeech } from "../api/play-speech.ts";

/**
 * Reads with the server's voice, if it has one, else with the browser's; resolves at the end. Throws
 * an Error with what to tell people.
 */
export async function readAloud(
  markdown: string,
  stored: { slug: string; chatId: number } | null,
  signal: AbortSignal,
): Promise<void> {
  if (stored !== null && (await playSpeech(stored, signal))) return;
  if ("speechSynthesis" in globalThis && !signal.aborted)
    await speakHere(splitSpeech(toSpokenText(markdown)), signal);
}

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

function speakHere(parts: string[], signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (parts.length === 0) return resolve();
    signal.addEventListener("abort", () => {
      speechSynthesis.cancel();
      resolve();
    });
    for (const [index, part] of parts.entries()) {
      const utterance = new SpeechSynthesisUtterance(part);
      if (index === parts.length - 1) utterance.onend = () => resolve();
      utterance.onerror = ({ error }) => {
        if (error !== "interrupted" && error !== "canceled") resolve();
      };
      speechSynthesis.speak(utterance);
    }
  });
}
