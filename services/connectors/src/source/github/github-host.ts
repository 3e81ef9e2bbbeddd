import type { Readable } from "node:stream";
import { CarrelError } from "@carrel/contracts";
import { z } from "zod";
import type { AccessList, SourceContext } from "../../connector/connector.ts";
import { Memo } from "../../connector/memo.ts";
import { encodePath, RepositoryClient, withQuery } from "../../repository/repository-client.ts";
import {
  nullIfEmpty,
  readCommit,
  toStoredBody,
  toTreeEntry,
  usualFirst,
  type Comment,
  type HostPage,
  type ListedIssue,
  type RepositoryFile,
  type RepositoryHost,
  type TreeEntry,
} from "../../repository/repository-host.ts";
import { emails, readAccess } from "../../repository/repository-people.ts";
import { findEntry } from "../../repository/tree-changes.ts";

const json = "application/vnd.github+json";
const apiVersion = "2022-11-28";

const repository = z.object({
  default_branch: z.string(),
  private: z.boolean(),
  has_issues: z.boolean().default(true),
  url: z.string().optional(),
});
const tree = z.object({
  tree: z.array(
    z.object({
      path: z.string(),
      mode: z.string(),
      type: z.string(),
      sha: z.string(),
      size: z.number().optional(),
    }),
  ),
  truncated: z.boolean(),
});
const author = z.object({ login: z.string() }).nullish();
const nameOf = (user: z.output<typeof author>): string => user?.login ?? "a deleted user";
const issue = z.object({
  number: z.number().int(),
  title: z.string(),
  html_url: z.string(),
  user: author,
  state: z.string(),
  labels: z.array(z.union([z.string(), z.object({ name: z.string().nullish() })])),
  created_at: z.string(),
  updated_at: z.string(),
  comments: z.number().int(),
  body: z.string().nullish(),
  pull_request: z.unknown().optional(),
  repository_url: z.string().optional(),
});
const comments = z.array(
  z.object({ user: author, created_at: z.string(), body: z.string().nullish() }),
);
/** Trees that are still to be listed. */
const treeCursor = z.array(z.object({ sha: z.string(), path: z.string() }));

/** Requests for one list: of branches, comments and people. */
const maxPages = 50;

/** A repository on github.com, an Enterprise server or a subdomain of ghe.com. */
export class GithubHost implements RepositoryHost {
  readonly tellsChanges = true;
  private readonly client: RepositoryClient;
  private readonly path: string;
  private readonly repository = new Memo<z.output<typeof repository>>();

  constructor(
    private readonly address: string,
    token: string | undefined,
    context: SourceContext,
  ) {
    const { pathname } = new URL(address);
    this.path = `/repos${pathname}`;
    this.client = new RepositoryClient(
      apiOf(address),
      {
        accept: json,
        "x-github-api-version": apiVersion,
        ...(token && { authorization: `Bearer ${token}` }),
      },
      context,
    );
  }

  private read(): Promise<z.output<typeof repository>> {
    const { host } = new URL(this.address);
    const missing = new CarrelError("source.repository-missing", { host });
    return this.repository.get("", async () => {
      return (await this.client.get(this.path, repository, missing)).data;
    });
  }

  async head(wanted: string | undefined) {
    const { default_branch: usual } = await this.read();
    const branch = wanted ?? usual;
    const path = `${this.path}/commits/${encodePath(branch)}`;
    const reply = await this.client.ask(path, "application/vnd.github.sha");
    return reply.status === 200
      ? { branch, commit: readCommit(reply.body.toString("utf8"), this.address) }
      : nullIfEmpty(reply, branch, wanted === undefined);
  }

  async branches(): Promise<string[]> {
    const { default_branch: usual } = await this.read();
    const named = z.array(z.object({ name: z.string() }));
    const items = await this.client.getAll(`${this.path}/branches?per_page=100`, named, maxPages);
    return usualFirst(items, usual);
  }

  /** A tree of more than 100,000 entries comes cut; its folders are listed one by one then. */
  async tree(commit: string, cursor: string | null): Promise<HostPage<TreeEntry>> {
    const left = cursor === null ? [] : treeCursor.parse(JSON.parse(cursor));
    const { sha, path } = left.pop() ?? { sha: commit, path: "" };
    const whole = await this.readTree(sha, true);
    const { tree: entries } = whole.truncated ? await this.readTree(sha, false) : whole;
    const folders = whole.truncated ? entries.filter(({ type }) => type === "tree") : [];
    left.push(...folders.map((folder) => ({ sha: folder.sha, path: `${path}${folder.path}/` })));
    return {
      items: entries
        .filter(({ type }) => type !== "tree")
        .map((entry) => toTreeEntry(entry, `${path}${entry.path}`)),
      next: left.length === 0 ? null : JSON.stringify(left),
    };
  }

  private async readTree(sha: string, isRecursive: boolean) {
    const path = `${this.path}/git/trees/${encodeURIComponent(sha)}`;
    return (await this.client.get(`${path}${isRecursive ? "?recursive=1" : ""}`, tree)).data;
  }

  entry(path: string, commit: string): Promise<TreeEntry | null> {
    return findEntry(path, commit, async (sha) => {
      const { tree: entries, truncated } = await this.readTree(sha, false);
      if (!truncated) return entries;
      throw new CarrelError("egress.unexpected-response", { host: new URL(this.address).host });
    });
  }

  archive(commit: string, maxBytes: number, timeoutMs: number): Promise<Readable> {
    return this.client.open(`${this.path}/tarball/${commit}`, { maxBytes, timeoutMs });
  }

  blob({ sha }: RepositoryFile, maxBytes: number): Promise<Readable> {
    const accept = "application/vnd.github.raw+json";
    const path = `${this.path}/git/blobs/${encodeURIComponent(sha)}`;
    return this.client.open(path, { accept, maxBytes });
  }

  fileAddress(path: string, branch: string): string {
    return `${this.address}/blob/${encodePath(branch)}/${encodePath(path)}`;
  }

  async issues(cursor: string | null): Promise<HostPage<ListedIssue>> {
    // They are answered with 410 then; only the repository says that it isn't for the token.
    if (cursor === null && !(await this.read()).has_issues) return { items: [], next: null };
    const path = `${this.path}/issues`;
    const query = "?state=all&sort=created&direction=asc&per_page=100";
    const { data, next } = await this.client.get(withQuery(path, cursor ?? query), z.array(issue));
    return {
      items: data.filter((each) => each.pull_request == null).map(toListedIssue),
      next,
    };
  }

  /** An issue that was moved is answered from its new repository, which others may see. */
  async issue(number: number): Promise<ListedIssue | null> {
    const { url } = await this.read();
    const { data } = await this.client.get(`${this.path}/issues/${number}`, issue);
    const isHere = url === undefined || data.repository_url === undefined;
    return isHere || data.repository_url === url ? toListedIssue(data) : null;
  }

  async issueBody(number: number): Promise<string> {
    const { data } = await this.client.get(`${this.path}/issues/${number}`, issue);
    return data.body ?? "";
  }

  async comments(number: number): Promise<Comment[]> {
    const path = `${this.path}/issues/${number}/comments?per_page=100`;
    const items = await this.client.getAll(path, comments, maxPages);
    return items.map(({ user, created_at: createdAt, body }) => ({
      author: nameOf(user),
      createdAt,
      body: body ?? "",
    }));
  }

  /** Those who may read it; GitHub tells only people who may write to it who they are. */
  async access(): Promise<AccessList> {
    if (!(await this.read()).private) return "everyone";
    return readAccess(async () => {
      const items = await this.client.getAll(
        `${this.path}/collaborators?per_page=100`,
        z.array(z.object({ login: z.string() })),
        maxPages,
      );
      return items.map(({ login }) => ({ account: login, email: null }));
    }, this.emailOf);
  }

  /** What somebody shows of themselves; GitHub has verified it. */
  private readonly emailOf = (login: string): Promise<string | null> =>
    emails.get(`${this.client.api} ${login}`, async () => {
      const person = z.object({ email: z.string().nullish() });
      const { data } = await this.client.get(`/users/${encodeURIComponent(login)}`, person);
      return data.email ?? null;
    });
}

/** github.com and ghe.com have hosts for their API, Enterprise servers a folder. */
export function apiOf(address: string): string {
  const { host, origin } = new URL(address);
  const isHosted = host === "github.com" || host.endsWith(".ghe.com");
  return isHosted ? `https://api.${host}` : `${origin}/api/v3`;
}

const toListedIssue = (found: z.output<typeof issue>): ListedIssue => ({
  number: found.number,
  title: found.title,
  address: found.html_url,
  author: nameOf(found.user),
  state: found.state,
  labels: found.labels.flatMap((label) => (typeof label === "string" ? label : label.name) ?? []),
  createdAt: found.created_at,
  updatedAt: found.updated_at,
  comments: found.comments,
  body: toStoredBody(found.body),
  isConfidential: false,
});
