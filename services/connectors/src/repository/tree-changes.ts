import { CarrelError } from "@carrel/contracts";
import { MarkLostError } from "../connector/connector.ts";
import {
  toTreeEntry,
  type GitEntry,
  type RepositoryHost,
  type TreeEntry,
} from "./repository-host.ts";

/** Beyond these, listing everything costs no more. */
const maxPages = 200;

async function readTree(host: RepositoryHost, commit: string): Promise<Map<string, TreeEntry>> {
  const entries = new Map<string, TreeEntry>();
  let cursor: string | null = null;
  for (let pages = 0; pages === 0 || cursor !== null; pages += 1) {
    if (pages >= maxPages) throw new MarkLostError();
    const page: Awaited<ReturnType<RepositoryHost["tree"]>> = await host.tree(commit, cursor);
    for (const entry of page.items) entries.set(entry.path, entry);
    cursor = page.next;
  }
  return entries;
}

/**
 * What a commit has at a path, read folder by folder: a request for each, whatever the size of the
 * repository. `readFolder` gets the name of a tree, first the commit's.
 */
export async function findEntry(
  path: string,
  commit: string,
  readFolder: (tree: string) => Promise<readonly GitEntry[]>,
): Promise<TreeEntry | null> {
  const segments = path.split("/");
  let folder = commit;
  for (const [depth, name] of segments.entries()) {
    const found = (await readFolder(folder)).find((entry) => entry.path === name);
    if (found === undefined) return null;
    if (depth === segments.length - 1)
      return found.type === "tree" ? null : toTreeEntry(found, path);
    if (found.type !== "tree") return null;
    folder = found.sha;
  }
  return null;
}

/** The tree of a commit that may be gone, because history was rewritten. */
const readOldTree = (host: RepositoryHost, commit: string): Promise<Map<string, TreeEntry>> =>
  readTree(host, commit).catch((error: unknown) => {
    const isLost =
      error instanceof CarrelError &&
      ["source.missing", "egress.unexpected-response"].includes(error.code);
    throw isLost ? new MarkLostError() : error;
  });

/**
 * What differs between two commits, whichever history led from one to the other. Comparing two
 * trees takes two requests in most cases, as a compare API does, but that one stops at 300 files
 * and tells neither sizes nor links.
 */
export async function compareTrees(
  host: RepositoryHost,
  from: string,
  to: string,
): Promise<{ changed: TreeEntry[]; removed: TreeEntry[] }> {
  const before = await readOldTree(host, from);
  const after = await readTree(host, to);
  return {
    changed: [...after.values()].filter(({ path, sha, kind }) => {
      const old = before.get(path);
      return old?.sha !== sha || old.kind !== kind;
    }),
    removed: [...before.values()].filter(({ path }) => !after.has(path)),
  };
}
