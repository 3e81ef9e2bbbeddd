/** Synthetic chunks: words by a topic's frequencies, vectors around the topic's centre. Reproducible. */
import { chunkTerms } from "@carrel/retrieval";

export const dimensions = 384,
  topicCount = 400;

let state = 42;
/** Reproducible, 0 to 1 (mulberry32). */
function random(): number {
  state = (state + 0x6d2b79f5) >>> 0;
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
}
const normal = (): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
const unit = (vector: Float32Array): Float32Array => {
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
};

/**
 * Words about as long as English ones; frequent ones come first. A fifth of a chunk's words come
 * from its topic.
 */
const syllables = [
  "ba",
  "de",
  "ki",
  "lo",
  "mu",
  "na",
  "pe",
  "ri",
  "so",
  "tu",
  "va",
  "we",
  "zan",
  "tor",
  "mel",
  "gri",
];
const vocabulary = Array.from({ length: 30_000 }, (_, n) => {
  let word = "";
  for (let rest = n + 16; rest > 0; rest = Math.floor(rest / 16))
    word = syllables[rest % 16] + word;
  return word;
});
const common = (): number =>
  Math.min(vocabulary.length - 1, Math.floor(Math.exp(random() * Math.log(vocabulary.length))) - 1);
const topics = Array.from({ length: topicCount }, () => ({
  words: Array.from({ length: 60 }, () => 200 + Math.floor(random() * (vocabulary.length - 200))),
  centre: unit(Float32Array.from({ length: dimensions }, normal)),
}));
export const wordOf = (topic: number): string =>
  vocabulary[random() < 0.2 ? topics[topic]!.words[Math.floor(random() ** 2 * 60)]! : common()]!;
export const makeVector = (topic: number, spread: number): Float32Array =>
  unit(topics[topic]!.centre.map((value) => value + (spread * normal()) / Math.sqrt(dimensions)));

// Analysed once per word, because chunks share the same vocabulary.
const termsOf = new Map(
  vocabulary.map((word) => [
    word,
    chunkTerms({ text: word, title: "", headingPath: [], language: "en" }).slice(2),
  ]),
);
export const makeTerms = (topic: number): string[] => [
  "§en",
  "|",
  ...Array.from({ length: 110 }, () => termsOf.get(wordOf(topic))!).flat(),
];
