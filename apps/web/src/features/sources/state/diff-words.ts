import type { DiffLine } from "@carrel/contracts";
import { diffArrays } from "diff";

/** A line in parts; `isChanged` marks words that the line in the other version doesn't have. */
export interface ShownLine {
  kind: DiffLine["kind"];
  parts: { text: string; isChanged: boolean }[];
}

/** A line that keeps less than this share of its characters reads better as a whole. */
const leastKept = 0.4;

const show = ({ kind, text }: DiffLine): ShownLine => ({
  kind,
  parts: [{ text, isChanged: false }],
});

const words = new Intl.Segmenter(undefined, { granularity: "word" });
/** Words, and what is between them. Numbers are whole, and other scripts have words, too. */
const wordsOf = (text: string): string[] =>
  Array.from(words.segment(text), ({ segment }) => segment);

function showPair(removed: DiffLine, added: DiffLine): [ShownLine, ShownLine] {
  const changes = diffArrays(wordsOf(removed.text), wordsOf(added.text)).map(
    ({ value, ...change }) => ({ ...change, value: value.join("") }),
  );
  const kept = changes.reduce((sum, each) => sum + (isKept(each) ? each.value.length : 0), 0);
  if (kept < leastKept * Math.max(removed.text.length, added.text.length))
    return [show(removed), show(added)];
  const partsOf = (other: "added" | "removed"): ShownLine["parts"] =>
    changes
      .filter((each) => !each[other])
      .map((each) => ({ text: each.value, isChanged: !isKept(each) }));
  return [
    { kind: "removed", parts: partsOf("added") },
    { kind: "added", parts: partsOf("removed") },
  ];
}

const isKept = ({ added, removed }: { added: boolean; removed: boolean }): boolean =>
  !added && !removed;

/** Marks the words that changed, where lines were replaced by as many others. */
export function diffWords(lines: readonly DiffLine[]): ShownLine[] {
  const shown: ShownLine[] = [];
  let at = 0;
  while (at < lines.length) {
    const removed = takeWhile(lines, at, "removed");
    const added = takeWhile(lines, at + removed.length, "added");
    if (removed.length > 0 && removed.length === added.length) {
      const pairs = removed.map((line, n) => showPair(line, added[n]!));
      shown.push(...pairs.map(([before]) => before), ...pairs.map(([, after]) => after));
    } else shown.push(...[...removed, ...added].map(show));
    at += removed.length + added.length;
    if (removed.length + added.length === 0) {
      shown.push(show(lines[at]!));
      at += 1;
    }
  }
  return shown;
}

function takeWhile(
  lines: readonly DiffLine[],
  from: number,
  kind: DiffLine["kind"],
): readonly DiffLine[] {
  let end = from;
  while (lines[end]?.kind === kind) end += 1;
  return lines.slice(from, end);
}
