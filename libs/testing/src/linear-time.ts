/** Texts that, repeated, make careless parsers slow. */
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
/** Around the repeated unit: what makes a pattern fail at its end, or start over. */
const frames: readonly [start: string, end: string][] = [
  ["", ""],
  ["a", "!"],
  ["", "\u0001a"],
];

function costOf(parse: (text: string) => unknown, text: string): number {
  const before = process.threadCpuUsage();
  try {
    parse(text);
  } catch {
    // Refusing a text is as good as reading it.
  }
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

/**
 * Lists the texts for which `parse` needs more than linear time: eight times the text costs about
 * 64 times as much. Measured in CPU time, and again before a text counts as slow. Texts are up to
 * `length` characters long, and also made of `more` units.
 */
export function findSlowTexts(
  parse: (text: string) => unknown,
  length = 64_000,
  more: readonly string[] = [],
): string[] {
  const slow: string[] = [];
  for (const unit of [...units, ...more])
    for (const [start, end] of frames) {
      const textOf = (size: number): string => start + unit.repeat(size / unit.length) + end;
      const [short, long] = [textOf(length / 8), textOf(length)];
      // Even if quadratic, the long text would be done within 30 ms.
      if (costOf(parse, short) < 0.5) continue;
      const isSlow = (): boolean => costOf(parse, long) > 24 * Math.max(costOf(parse, short), 0.5);
      if (isSlow() && isSlow()) slow.push(JSON.stringify(`${start}${unit}…${end}`));
    }
  return slow;
}
