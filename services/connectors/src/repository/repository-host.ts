import type { Readable } from "node:stream";
import { CarrelError } from "@carrel/contracts";
import { z } from "zod";
import type { AccessList } from "../connector/connector.ts";

export interface TreeEntry {
  path: string;
  /** The hash of its content. */
  sha: string;
  kind: "file" | "submodule" | "symlink";
  /** Unknown on some servers. */
  bytes?: number;
}

/** A file as one commit has it. */
export interface RepositoryFile {
  path: string;
  sha: string;
  commit: string;
}

export interface HostPage<T> {
  items: T[];
  /** Where the next page begins, in the host's words; null on the last. */
  next: string | null;
  /** There may be more that isn't shown. */
  isPartial?: true;
}

/** What is stored about an issue; a body that is too long for that is fetched. */
export const listedIssue = z.object({
  number: z.number().int(),
  title: z.string(),
  address: z.string(),
  author: z.string(),
  state: z.string(),
  labels: z.array(z.string()),
  createdAt: z.string(),
  updatedAt: z.string(),
  comments: z.number().int(),
  body: z.string().nullable(),
  /** Fewer people may see it than the others. */
  isConfidential: z.boolean(),
});
export type ListedIssue = z.output<typeof listedIssue>;

const longestStoredBody = 20_000;
/** The body of a listed issue, as `ListedIssue` has it. */
export const toStoredBody = (body: string | null | undefined): string | null =>
  body && body.length > longestStoredBody ? null : (body ?? "");

export interface Comment {
  author: string;
  createdAt: string;
  body: string;
}

export interface ListedWikiPage {
  slug: string;
  title: string;
  address: string;
  version?: string;
}

/** What access lists tell apart. */
export type Part = "files" | "issues" | "confidential-issues" | "wiki";

/** A repository on a server of one kind. */
export interface RepositoryHost {
  /** Whether trees are listed by few requests, so that two of them may be compared. */
  tellsChanges: boolean;
  /**
   * The commit that a branch or tag is at, the default branch's by default; null if it is empty, which
   * the server must say: to those who may not read files, some answer as if there were none.
   */
  head(branch: string | undefined): Promise<{ branch: string; commit: string } | null>;
  /** The default branch first. */
  branches(): Promise<string[]>;
  tree(commit: string, cursor: string | null): Promise<HostPage<TreeEntry>>;
  /** The file or link that a commit has at a path; null if none, or throws `source.missing`. */
  entry(path: string, commit: string): Promise<TreeEntry | null>;
  /** All of a commit's files, as tar.gz. */
  archive(commit: string, maxBytes: number, timeoutMs: number): Promise<Readable>;
  blob(file: RepositoryFile, maxBytes: number): Promise<Readable>;
  fileAddress(path: string, branch: string): string;
  issues(cursor: string | null): Promise<HostPage<ListedIssue>>;
  /** null if it is no longer this repository's. Throws `source.missing` if it is gone. */
  issue(number: number): Promise<ListedIssue | null>;
  issueBody(number: number): Promise<string>;
  comments(number: number): Promise<Comment[]>;
  wiki?(cursor: string | null): Promise<HostPage<ListedWikiPage>>;
  /** Its text, which is Markdown in most cases, and the ending of its file name. */
  wikiPage?(slug: string): Promise<{ text: string; ending: string }>;
  access(part: Part): Promise<AccessList>;
}

/** How git marks a symbolic link in a tree. */
const symlinkMode = "120000";

/** An entry of a tree as servers send it; folders are entries, too. */
export interface GitEntry {
  path: string;
  mode: string;
  type: string;
  sha: string;
  size?: number | undefined;
}

export const toTreeEntry = ({ mode, type, sha, size }: GitEntry, path: string): TreeEntry => ({
  path,
  sha,
  kind: type === "commit" ? "submodule" : mode === symlinkMode ? "symlink" : "file",
  ...(size !== undefined && { bytes: size }),
});

/** Checks that a server's reply is the name of a commit, which becomes part of addresses. */
export function readCommit(reply: string, address: string): string {
  const commit = reply.trim();
  if (/^[0-9a-f]{40,64}$/.test(commit)) return commit;
  throw new CarrelError("egress.unexpected-response", { host: new URL(address).host });
}

/** What it means that GitHub or Gitea names no commit; 409 is said of empty repositories alone. */
export function nullIfEmpty(
  { url, status }: { url: string; status: number },
  branch: string,
  isUsual: boolean,
): null {
  if (isUsual && status === 409) return null;
  // GitHub answers 422 to those who may read it.
  if (!isUsual || status === 422) throw new CarrelError("source.branch-missing", { branch });
  throw new CarrelError("source.denied", { host: new URL(url).host, status });
}

/** Names in the order in which they are offered. */
export const usualFirst = (branches: readonly { name: string }[], usual: string): string[] => {
  const others = branches.map(({ name }) => name).filter((name) => name !== usual);
  return branches.length === others.length ? others : [usual, ...others];
};
