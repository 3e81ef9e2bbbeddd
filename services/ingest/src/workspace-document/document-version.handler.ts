import {
  CarrelError,
  diffDocumentVersion,
  listDocumentVersions,
  type In,
  type Out,
  type Scope,
  type WorkspaceScope,
  clipText,
  type DiffLine,
} from "@carrel/contracts";
import { Handle, type RequestContext } from "@carrel/messaging";
import { Controller } from "@nestjs/common";
import { WorkspaceDocumentRepository } from "../document/workspace-document.repository.ts";
import { requireWorkspace } from "../document/workspace-scope.ts";
import { DocumentVersionRepository } from "../revision/document-version.repository.ts";

/** The contents that a workspace's documents have had. */
@Controller()
export class DocumentVersionHandler {
  constructor(
    private readonly versions: DocumentVersionRepository,
    private readonly workspaceDocuments: WorkspaceDocumentRepository,
  ) {}

  @Handle(listDocumentVersions)
  async list(
    { documentId }: In<typeof listDocumentVersions>,
    context: RequestContext,
  ): Promise<Out<typeof listDocumentVersions>> {
    const scope = await this.requireDocument(context.scope, documentId);
    return { versions: await this.versions.list(scope, documentId) };
  }

  @Handle(diffDocumentVersion)
  async diff(
    { documentId, version }: In<typeof diffDocumentVersion>,
    context: RequestContext,
  ): Promise<Out<typeof diffDocumentVersion>> {
    const scope = await this.requireDocument(context.scope, documentId);
    const texts = await this.versions.readPair(scope, documentId, version);
    if (texts === null) throw new CarrelError("document.version-not-kept");
    return diffLines(texts.before, texts.after);
  }

  private async requireDocument(asked: Scope, documentId: string): Promise<WorkspaceScope> {
    const scope = requireWorkspace(asked);
    if ((await this.workspaceDocuments.find(scope, documentId)) === null)
      throw new CarrelError("document.not-in-workspace");
    return scope;
  }
}

type Diff = Out<typeof diffDocumentVersion>;
/** Half-open ranges of lines in the old and the new text. */
interface Gap {
  oldStart: number;
  oldEnd: number;
  newStart: number;
  newEnd: number;
}

/** Unchanged lines shown around changes. */
const context = 2;
/** Characters of one reply, and of a line in it. */
const longestDiff = 150_000;
const longestLine = 2_000;

/**
 * Compares two texts line by line: the lines that both have once, in the longest common order, are
 * the same, with the equal lines around them; what is between them was replaced. This takes
 * n log n steps whatever the texts, unlike the shortest difference.
 */
export function diffLines(before: string, after: string): Diff {
  const old = before.split("\n");
  const now = after.split("\n");
  const gaps = findGaps(old, now);
  const added = gaps.reduce((sum, gap) => sum + gap.newEnd - gap.newStart, 0);
  const removed = gaps.reduce((sum, gap) => sum + gap.oldEnd - gap.oldStart, 0);
  const hunks: Diff["hunks"] = [];
  let shownUntil = 0;
  let room = longestDiff;
  const push = (lines: DiffLine[], kind: DiffLine["kind"], texts: string[]): boolean => {
    for (const text of texts) {
      room -= Math.min(text.length, longestLine) + 30;
      if (room < 0) return false;
      lines.push({ kind, text: clipText(text, longestLine) });
    }
    return true;
  };
  for (const [n, gap] of gaps.entries()) {
    const from = Math.max(gap.oldStart - context, shownUntil);
    let hunk = hunks.at(-1);
    if (!hunk || from > shownUntil || n === 0) {
      const start = gap.oldStart - from;
      hunk = { oldLine: from + 1, newLine: gap.newStart - start + 1, lines: [] };
      hunks.push(hunk);
    }
    const next = gaps[n + 1]?.oldStart ?? old.length;
    shownUntil = Math.min(gap.oldEnd + context, next);
    const isComplete =
      push(hunk.lines, "same", old.slice(from, gap.oldStart)) &&
      push(hunk.lines, "removed", old.slice(gap.oldStart, gap.oldEnd)) &&
      push(hunk.lines, "added", now.slice(gap.newStart, gap.newEnd)) &&
      push(hunk.lines, "same", old.slice(gap.oldEnd, shownUntil));
    if (!isComplete) return { added, removed, hunks, isComplete };
  }
  return { added, removed, hunks, isComplete: true };
}

/** What differs, in order. */
function findGaps(old: string[], now: string[]): Gap[] {
  const gaps: Gap[] = [];
  let oldAt = 0;
  let newAt = 0;
  for (const anchor of [...findAnchors(old, now), { old: old.length, now: now.length }]) {
    // Equal lines before the anchor, and after the one before it, belong to what is the same.
    let [oldEnd, newEnd] = [anchor.old, anchor.now];
    while (oldAt < oldEnd && newAt < newEnd && old[oldAt] === now[newAt]) {
      oldAt++;
      newAt++;
    }
    while (oldEnd > oldAt && newEnd > newAt && old[oldEnd - 1] === now[newEnd - 1]) {
      oldEnd--;
      newEnd--;
    }
    if (oldAt < oldEnd || newAt < newEnd)
      gaps.push({ oldStart: oldAt, oldEnd, newStart: newAt, newEnd });
    oldAt = anchor.old;
    newAt = anchor.now;
  }
  return gaps;
}

/** Pairs of lines that occur once in both texts: the longest sequence that is in order in both. */
function findAnchors(old: string[], now: string[]): { old: number; now: number }[] {
  const places = countPlaces(old);
  const pairs = [...countPlaces(now)].flatMap(([line, place]) => {
    const before = places.get(line);
    return before === undefined || before === null || place === null
      ? []
      : [{ old: before, now: place }];
  });
  return longestIncreasing(pairs.toSorted((a, b) => a.now - b.now));
}

/** The place of each line; null if it occurs several times. */
function countPlaces(lines: string[]): Map<string, number | null> {
  const places = new Map<string, number | null>();
  for (const [n, line] of lines.entries()) places.set(line, places.has(line) ? null : n);
  return places;
}

/** The longest subsequence whose old places increase (patience sorting). */
function longestIncreasing(pairs: { old: number; now: number }[]): { old: number; now: number }[] {
  /** By length: the index of the pair that ends the best subsequence of it. */
  const ends: number[] = [];
  const previous: (number | undefined)[] = [];
  for (const [n, pair] of pairs.entries()) {
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (pairs[ends[middle]!]!.old < pair.old) low = middle + 1;
      else high = middle;
    }
    previous[n] = low > 0 ? ends[low - 1] : undefined;
    ends[low] = n;
  }
  const longest: { old: number; now: number }[] = [];
  for (let at = ends.at(-1); at !== undefined; at = previous[at]) longest.push(pairs[at]!);
  return longest.toReversed();
}
