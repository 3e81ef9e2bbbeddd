import { sample } from "./thoroughness.ts";

/** Texts that slow down careless parsers when repeated. */
const units = [
  "a",
  "A ",
  " ",
  "\t ",
  "\n",
  ".",
  ". ",
  "..a",
  "-",
  "--",
  "-.",
  "/",
  "../",
  "\\",
  '"',
  "'",
  '\\"',
  ",",
  ";",
  "; ",
  "=",
  "a=",
  "&a=1",
  "%",
  "%41",
  "%C3",
  ":",
  "@",
  "#",
  "*",
  "**a",
  "_a",
  "`",
  "``` ",
  "~~~\n",
  "[",
  "[a](",
  "(",
  "{",
  "{{",
  "{a}",
  "<",
  "<a ",
  "<!--",
  "</a>",
  "<think>",
  "|",
  "1",
  "1.",
  "1,",
  "1:",
  "é",
  "e\u0301",
  "\u0301",
  "\u200d",
  "漢",
  "한",
  "😀",
  "\ud83d",
  "\0",
  "a.b@",
  "http://",
  "a/b?c#",
];
/** Text around the repeated unit that makes a pattern fail at its end, or start over. */
const frames: readonly [start: string, end: string][] = [
  ["", ""],
  ["a", "!"],
  ["", "\u0001a"],
];

async function attempt<T>(parse: (input: T) => unknown, text: T): Promise<void> {
  try {
    await parse(text);
  } catch {
    // Refusing a text is as good as reading it.
  }
}

/** CPU time in ms. The system may count it in steps of several ms. */
async function costOf(work: () => Promise<void>): Promise<number> {
  const before = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

/** How many times as long the long text is. */
const factor = 8;

/**
 * Lists the texts for which `parse` needs more than linear time: one text costs much more than
 * eight texts an eighth as long. Measured in CPU time, and again before a text counts as slow.
 * Texts are up to `length` characters long, and also made of `more` units. Unless thorough, each unit
 * has one of the frames.
 */
export async function findSlowTexts(
  parse: (text: string) => unknown,
  length = 64_000,
  more: readonly string[] = [],
): Promise<string[]> {
  const slow: string[] = [];
  for (const [place, unit] of [...units, ...more].entries())
    for (const [start, end] of sample(frames, frames.length, place)) {
      const textOf = (size: number): string => start + unit.repeat(size / unit.length) + end;
      const short = textOf(length / factor);
      const began = performance.now();
      await attempt(parse, short);
      // Even if quadratic, the long text would be done within 30 ms.
      if (performance.now() - began < 0.5) continue;
      if (await isSlow(parse, short, textOf(length)))
        slow.push(JSON.stringify(`${start}${unit}…${end}`));
    }
  return slow;
}

/**
 * Whether, three times in a row, the long input costs much more than short ones of the same total
 * length.
 */
async function isSlow<T>(read: (input: T) => unknown, short: T, long: T): Promise<boolean> {
  for (let times = 0; times < 3; times++) {
    const whole = await costOf(() => attempt(read, long));
    let parts = 0;
    // Usually the first short ones already cost enough, so the others needn't be read.
    for (let count = 0; count < factor && whole > 4 * Math.max(parts, 3); count += 1)
      parts += await costOf(() => attempt(read, short));
    if (whole <= 4 * Math.max(parts, 3)) return false;
  }
  return true;
}

/**
 * Whether `read` needs more than linear time for any kind of input: `make` creates one of about
 * this size.
 */
export async function growsTooFast<T>(
  make: (size: number) => T,
  read: (input: T) => unknown,
  size: number,
): Promise<boolean> {
  const short = make(size / factor);
  // Excludes what is loaded or compiled on first use.
  await attempt(read, short);
  return isSlow(read, short, make(size));
}
