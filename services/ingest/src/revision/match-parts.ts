import path from "node:path/posix";
import { revisedDocpath } from "../document/docpath.ts";
import type { Document } from "../document/document.entity.ts";

type Part = Pick<Document, "id" | "docpath">;

/** What becomes of the documents of one original. */
export interface MatchedParts<D extends Part> {
  replaced: { revision: D; target: D }[];
  added: D[];
  gone: D[];
}

/**
 * Which parts of the new content replace which documents: sheets by their names, members of an
 * archive by their paths, or by their file names if they moved. The first document stands for the
 * original, so it always stays; if the part with its name is gone, it becomes the first new one.
 */
export function matchParts<D extends Part>(
  revisions: readonly D[],
  targets: readonly D[],
): MatchedParts<D> {
  const replaced = new Map<D, D>();
  const matched = new Set<D>();
  const match = (revision: D, target: D): void => {
    replaced.set(target, revision);
    matched.add(revision);
  };
  const [firstRevision] = revisions;
  const [first] = targets;
  for (const keyOf of [(docpath: string) => docpath, path.basename]) {
    const free = Map.groupBy(
      targets.filter((target) => !replaced.has(target)),
      ({ docpath }) => keyOf(docpath),
    );
    const wanted = Map.groupBy(
      revisions.filter((revision) => !matched.has(revision)),
      ({ docpath }) => keyOf(revisedDocpath(docpath)),
    );
    for (const [key, [revision, ...others]] of wanted) {
      const found = free.get(key) ?? [];
      if (found.length === 1 && others.length === 0) match(revision!, found[0]!);
    }
  }
  if (!replaced.has(first!)) {
    const next = revisions.find((revision) => !matched.has(revision)) ?? firstRevision!;
    for (const [target, revision] of replaced) if (revision === next) replaced.delete(target);
    match(next, first!);
  }
  return {
    replaced: [...replaced].map(([target, revision]) => ({ revision, target })),
    added: revisions.filter((revision) => !matched.has(revision)),
    gone: targets.filter((target) => !replaced.has(target)),
  };
}
