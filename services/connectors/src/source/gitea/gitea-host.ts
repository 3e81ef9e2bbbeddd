import type { Readable } from "node:stream";
import { CarrelError } from "@carrel/contracts";
import { z } from "zod";
import type { AccessList, SourceContext } from "../../connector/connector.ts";
import { Memo } from "../../connector/memo.ts";
import { readJson } from "../../connector/read-json.ts";
import { encodePath, RepositoryClient, withQuery } from "../../repository/repository-client.ts";
import {
  nullIfEmpty,
  readCommit,
  toStoredBody,
  toTreeEntry,
  usualFirst,
  type Comment,
  type GitEntry,
  type HostPage,
  type ListedIssue,
  type ListedWikiPage,
  type RepositoryFile,
  type RepositoryHost,
  type TreeEntry,
} from "../../repository/repository-host.ts";
import { readAccess } from "../../repository/repository-people.ts";
import { findEntry } from "../../repository/tree-changes.ts";

const person = z.object({ login: z.string(), email: z.string().nullish() });
const repository = z.object({
  default_branch: z.string(),
  private: z.boolean(),
  has_issues: z.boolean().default(true),
  has_wiki: z.boolean().default(true),
  internal: z.boolean().default(false),
  owner: z.object({ login: z.string(), visibility: z.string().default("public") }),
});
const tree = z.object({
  tree: z
    .array(
      z.object({
        path: z.string(),
        mode: z.string(),
        type: z.string(),
        sha: z.string(),
        size: z.number().optional(),
      }),
    )
    .nullable(),
  truncated: z.boolean(),
});
const author = z.object({ login: z.string() }).nullish();
const nameOf = (user: z.output<typeof author>): string => user?.login ?? "a deleted user";
const issue = z.object({
  number: z.number().int(),
  title: z.string(),
  body: z.string().nullish(),
  state: z.string(),
  labels: z.array(z.object({ name: z.string() })).nullish(),
  created_at: z.string(),
  updated_at: z.string(),
  comments: z.number().int(),
  html_url: z.string(),
  user: author,
});
const comments = z.array(z.object({ body: z.string(), created_at: z.string(), user: author }));
const wikiPages = z.array(
  z.object({
    title: z.string(),
    sub_url: z.string(),
    html_url: z.string(),
    last_commit: z.object({ sha: z.string() }).nullish(),
  }),
);

const maxPages = 100;

/** A repository on a Gitea or Forgejo server. */
export class GiteaHost implements RepositoryHost {
  readonly tellsChanges = true;
  private readonly client: RepositoryClient;
  private readonly path: string;
  private readonly repository = new Memo<z.output<typeof repository>>();

  constructor(
    private readonly address: string,
    token: string | undefined,
    context: SourceContext,
  ) {
    const { origin, pathname } = new URL(address);
    const segments = pathname.slice(1).split("/");
    const base = segments.slice(0, -2).map((segment) => `/${segment}`);
    this.path = `/repos/${segments.slice(-2).join("/")}`;
    const headers: Record<string, string> = token ? { authorization: `token ${token}` } : {};
    this.client = new RepositoryClient(`${origin}${base.join("")}/api/v1`, headers, context);
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
    const query = new URLSearchParams({
      sha: branch,
      limit: "1",
      stat: "false",
      verification: "false",
      files: "false",
    });
    const reply = await this.client.ask(`${this.path}/commits?${query}`);
    if (reply.status !== 200) return nullIfEmpty(reply, branch, wanted === undefined);
    const [newest] = readJson(reply, z.tuple([z.object({ sha: z.string() })], z.unknown()));
    return { branch, commit: readCommit(newest.sha, this.address) };
  }

  async branches(): Promise<string[]> {
    const { default_branch: usual } = await this.read();
    const named = z.array(z.object({ name: z.string() }));
    const all = `${this.path}/branches?limit=50`;
    const items = await this.client.getAll(all, named, maxPages);
    return usualFirst(items, usual);
  }

  async tree(commit: string, cursor: string | null): Promise<HostPage<TreeEntry>> {
    const page = Number(cursor ?? 1);
    const { data } = await this.readTree(commit, page, true);
    const entries = data.tree ?? [];
    return {
      items: entries
        .filter(({ type }) => type !== "tree")
        .map((entry) => toTreeEntry(entry, entry.path)),
      next: data.truncated && entries.length > 0 ? String(page + 1) : null,
    };
  }

  entry(path: string, commit: string): Promise<TreeEntry | null> {
    return findEntry(path, commit, async (sha) => {
      const all: GitEntry[] = [];
      for (let page = 1; page <= maxPages; page += 1) {
        const { data } = await this.readTree(sha, page, false);
        all.push(...(data.tree ?? []));
        if (!data.truncated || !data.tree?.length) return all;
      }
      throw this.unexpected();
    });
  }

  private readTree(sha: string, page: number, isRecursive: boolean) {
    const query = `${isRecursive ? "recursive=true&" : ""}per_page=1000&page=${page}`;
    return this.client.get(`${this.path}/git/trees/${encodeURIComponent(sha)}?${query}`, tree);
  }

  archive(commit: string, maxBytes: number, timeoutMs: number): Promise<Readable> {
    return this.client.open(`${this.path}/archive/${commit}.tar.gz`, { maxBytes, timeoutMs });
  }

  /** By its path: the API for blobs leaves out large ones. */
  blob({ path, commit }: RepositoryFile, maxBytes: number): Promise<Readable> {
    return this.client.open(`${this.path}/raw/${encodePath(path)}?ref=${commit}`, { maxBytes });
  }

  fileAddress(path: string, branch: string): string {
    return `${this.address}/src/branch/${encodePath(branch)}/${encodePath(path)}`;
  }

  async issues(cursor: string | null): Promise<HostPage<ListedIssue>> {
    // Switched off, they are answered as if the token might not see them.
    if (cursor === null && !(await this.read()).has_issues) return { items: [], next: null };
    const first = "?state=all&type=issues&limit=50";
    const { data, next } = await this.client.get(
      withQuery(`${this.path}/issues`, cursor ?? first),
      z.array(issue),
    );
    return { items: data.map(toListedIssue), next };
  }

  async issue(number: number): Promise<ListedIssue> {
    return toListedIssue((await this.client.get(`${this.path}/issues/${number}`, issue)).data);
  }

  async issueBody(number: number): Promise<string> {
    return (await this.client.get(`${this.path}/issues/${number}`, issue)).data.body ?? "";
  }

  async comments(number: number): Promise<Comment[]> {
    const { data } = await this.client.get(`${this.path}/issues/${number}/comments`, comments);
    return data.map(({ body, created_at: createdAt, user }) => ({
      author: nameOf(user),
      createdAt,
      body,
    }));
  }

  /**
   * The same is answered for a wiki without pages and for one that the token may no longer read, so
   * known pages aren't taken for gone.
   */
  async wiki(cursor: string | null): Promise<HostPage<ListedWikiPage>> {
    if (cursor === null && !(await this.read()).has_wiki) return { items: [], next: null };
    const none = new CarrelError("source.missing", { host: new URL(this.address).host });
    const path = withQuery(`${this.path}/wiki/pages`, cursor ?? "?limit=50");
    try {
      const { data, next } = await this.client.get(path, wikiPages, none);
      const items = data.map(({ title, sub_url: slug, html_url: address, last_commit: last }) => ({
        slug,
        title,
        address,
        ...(last && { version: last.sha }),
      }));
      return { items, next };
    } catch (error) {
      if (error !== none) throw error;
      return { items: [], next: null, isPartial: true };
    }
  }

  async wikiPage(slug: string): Promise<{ text: string; ending: string }> {
    const page = z.object({ content_base64: z.string() });
    const path = `${this.path}/wiki/page/${encodePath(decodeName(slug))}`;
    const { data } = await this.client.get(path, page);
    return { text: Buffer.from(data.content_base64, "base64").toString("utf8"), ending: ".md" };
  }

  /** Its owner or the teams of its organisation, and collaborators. */
  async access(): Promise<AccessList> {
    const { owner, private: isPrivate, internal } = await this.read();
    if (!isPrivate && !internal && owner.visibility === "public") return "everyone";
    return readAccess(async () => {
      const people = await this.listPeople(`${this.path}/collaborators?limit=50`);
      const named = z.array(z.object({ id: z.number().int() }));
      const teams = await this.client.find(`${this.path}/teams`, named);
      // Repositories of a person have no teams.
      if (teams === null) people.push(...(await this.readOwner(owner.login)));
      for (const { id } of teams ?? [])
        people.push(...(await this.listPeople(`/teams/${id}/members?limit=50`)));
      return people.map(({ login, email }) => ({
        account: login,
        // What the server makes up for those who hide theirs.
        email: email && !/@noreply\./i.test(email) ? email : null,
      }));
    });
  }

  private listPeople(path: string): Promise<z.output<typeof person>[]> {
    return this.client.getAll(path, z.array(person), maxPages);
  }

  /** A list that doesn't end says nothing about what isn't in its beginning. */
  private unexpected(): CarrelError {
    return new CarrelError("egress.unexpected-response", { host: new URL(this.address).host });
  }

  private async readOwner(login: string): Promise<z.output<typeof person>[]> {
    return [(await this.client.get(`/users/${encodeURIComponent(login)}`, person)).data];
  }
}

/** Names of wiki pages come as a part of an address. */
function decodeName(slug: string): string {
  try {
    return decodeURIComponent(slug);
  } catch {
    return slug;
  }
}

const toListedIssue = (found: z.output<typeof issue>): ListedIssue => ({
  number: found.number,
  title: found.title,
  address: found.html_url,
  author: nameOf(found.user),
  state: found.state,
  labels: (found.labels ?? []).map(({ name }) => name),
  createdAt: found.created_at,
  updatedAt: found.updated_at,
  comments: found.comments,
  body: toStoredBody(found.body),
  isConfidential: false,
});
