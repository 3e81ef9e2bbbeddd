import { makeWave } from "@carrel/testing";
import type { FakeOriginal } from "./originals.ts";

const sayings = [
  "Good morning, and welcome to the site meeting. We have the survey of the emitters, the offer for the buffer tank, and one open question about the façade.",
  "First, the flow temperature. With 48 degrees the seasonal factor rises to 3.4.",
  "That leaves the corner rooms on the top floor, where the radiators are too small by a fifth.",
  "We replace those in spring. Until then the heating curve stays as it is.",
  "The buffer tank comes in week 34, and the crane needs the yard for a whole morning.",
];
const two = (n: number): string => String(n).padStart(2, "0");

/** The words about each minute, as ingest lays them out; the last one is at 00:09:02. */
const text = Array.from({ length: 10 }, (_, n) => {
  const stamp = `00:${two(n)}:${two(n === 0 ? 0 : 2)}`;
  return `${stamp}\n\n${sayings[n % 5]!}\n\n${sayings[(n + 2) % 5]!.replace(/\.$/, `, item ${n}.`)}`;
}).join("\n\n");

/** The text of the passage at 00:03:02, with its time stamp. */
export const minutePassage = text.slice(text.indexOf("00:03:02"), text.indexOf("\n\n00:04:02"));
export const minuteSentence = "We replace those in spring.";

/** Ten minutes of silence in a WAV file. */
export const recording = (): FakeOriginal => ({
  title: "Site meeting.wav",
  mime: "audio/wav",
  bytes: makeWave(600),
  text,
});
