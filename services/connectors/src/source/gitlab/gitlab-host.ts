import type { Readable } from "node:stream";
import { CarrelError } from "@carrel/contracts";
import { z } from "zod";
import type { AccessList, SourceContext } from "../../connector/connector.ts";
import { Memo } from "../../connector/memo.ts";
import {
  encodePath,
  RepositoryClient,
  withQuery,
  type Page,
} from "../../repository/repository-client.ts";
import {
  readCommit,
  toStoredBody,
  toTreeEntry,
  usualFirst,
  type Comment,
  type HostPage,
  type ListedIssue,
  type ListedWikiPage,
  type Part,
  type RepositoryFile,
  type RepositoryHost,
  type TreeEntry,
} from "../../repository/repository-host.ts";
import { emails, readAccess } from "../../repository/repository-people.ts";

const level = z.enum(["disabled", "private", "enabled", "public"]).catch("private");
const project = z.object({
  id: z.number().int(),
  default_branch: z.string().nullish(),
  empty_repo: z.boolean().default(false),
  visibility: z.string(),
  web_url: z.string(),
  repository_access_level: level.default("enabled"),
  issues_access_level: level.default("enabled"),
  wiki_access_level: level.default("enabled"),
});
type Project = z.output<typeof project>;
const tree = z.array(
  z.object({ id: z.string(), path: z.string(), type: z.string(), mode: z.string() }),
);
const author = z.object({ username: z.string() }).nullish();
const nameOf = (user: z.output<typeof author>): string => user?.username ?? "a deleted user";
const issue = z.object({
  iid: z.number().int(),
  title: z.string(),
  description: z.string().nullish(),
  state: z.string(),
  labels: z.array(z.string()),
  created_at: z.string(),
  updated_at: z.string(),
  user_notes_count: z.number().int(),
  confidential: z.boolean().default(false),
  web_url: z.string(),
  author,
});
const notes = z.array(
  z.object({
    body: z.string(),
    system: z.boolean(),
    /** Only some members may read it. */
    internal: z.boolean().default(false),
    created_at: z.string(),
    author,
  }),
);
const wikiPages = z.array(z.object({ slug: z.string(), title: z.string() }));
const members = z.array(
  z.object({
    id: z.number().int(),
    username: z.string(),
    state: z.string(),
    access_level: z.number().int(),
    email: z.string().nullish(),
  }),
);

const maxPages = 100;
/** Folders of a host that GitLab may be in. */
const maxBaseDepth = 2;
/** The least access level that may read a part (docs.gitlab.com, Roles and permissions). */
const roles: Record<Part, number> = {
  files: 20,
  issues: 10,
  "confidential-issues": 15,
  wiki: 10,
};
const wikiEndings: Record<string, string> = {
  rdoc: ".rdoc",
  asciidoc: ".adoc",
  org: ".org",
};

/** Where the project's API is, and what it says about the project. */
interface Reached {
  client: RepositoryClient;
  path: string;
  project: Project;
}

/** A project on gitlab.com or a server of one's own. */
export class GitlabHost implements RepositoryHost {
  readonly tellsChanges = false;
  private readonly reached = new Memo<Reached>();

  constructor(
    private readonly address: string,
    private readonly token: string | undefined,
    private readonly context: SourceContext,
  ) {}

  private reach(): Promise<Reached> {
    return this.reached.get("", () => this.find());
  }

  /** GitLab may be in a folder of its host, which looks like a group. */
  private async find(): Promise<Reached> {
    const { origin, pathname, host } = new URL(this.address);
    const segments = pathname.slice(1).split("/");
    const missing = new CarrelError("source.repository-missing", { host });
    const deepest = Math.min(maxBaseDepth, segments.length - 2);
    for (let depth = 0; depth <= deepest; depth += 1) {
      const base = segments.slice(0, depth).map((segment) => `/${segment}`);
      const headers: Record<string, string> = this.token ? { "private-token": this.token } : {};
      const api = `${origin}${base.join("")}/api/v4`;
      const client = new RepositoryClient(api, headers, this.context);
      const path = `/projects/${encodeURIComponent(segments.slice(depth).join("/"))}`;
      try {
        return { client, path, project: (await client.get(path, project, missing)).data };
      } catch (error) {
        // What isn't GitLab answers with a page.
        const isElsewhere =
          error === missing ||
          (error instanceof CarrelError && error.code === "egress.unexpected-response");
        if (!isElsewhere || depth === deepest) throw error;
      }
    }
    throw missing;
  }

  async head(wanted: string | undefined) {
    const { client, path, project: found } = await this.reach();
    const branch = wanted ?? found.default_branch;
    const isWithout = found.empty_repo || found.repository_access_level === "disabled";
    if (wanted === undefined && isWithout) return null;
    // Only those who may read files are told the default branch.
    if (!branch)
      throw new CarrelError("source.denied", { host: new URL(this.address).host, status: 403 });
    const commit = z.object({ id: z.string() });
    const missing = new CarrelError("source.branch-missing", { branch });
    const { data } = await client.get(
      `${path}/repository/commits/${encodeURIComponent(branch)}?stats=false`,
      commit,
      missing,
    );
    return { branch, commit: readCommit(data.id, this.address) };
  }

  async branches(): Promise<string[]> {
    const { client, path, project: found } = await this.reach();
    const named = z.array(z.object({ name: z.string() }));
    const all = `${path}/repository/branches?per_page=100`;
    const items = await client.getAll(all, named, maxPages);
    return usualFirst(items, found.default_branch ?? "");
  }

  async tree(commit: string, cursor: string | null): Promise<HostPage<TreeEntry>> {
    const { client, path } = await this.reach();
    const first = `?ref=${commit}&recursive=true&per_page=100&pagination=keyset`;
    const page = await client.get(withQuery(`${path}/repository/tree`, cursor ?? first), tree);
    return {
      items: page.data
        .filter(({ type }) => type !== "tree")
        .map((entry) => toTreeEntry({ ...entry, sha: entry.id }, entry.path)),
      next: page.next,
    };
  }

  /** From the list of its folder: GitLab tells of a single file neither its kind nor its size. */
  async entry(path: string, commit: string): Promise<TreeEntry | null> {
    const { client, path: project } = await this.reach();
    const { host } = new URL(this.address);
    const missing = new CarrelError("source.missing", { host });
    const folder = path.slice(0, Math.max(0, path.lastIndexOf("/")));
    const query = new URLSearchParams({ ref: commit, path: folder, per_page: "100" });
    const first = `${project}/repository/tree?${query}&pagination=keyset`;
    let next = first;
    for (let pages = 0; pages < maxPages; pages += 1) {
      const page: Page<z.output<typeof tree>> = await client.get(next, tree, missing);
      const found = page.data.find((entry) => entry.path === path);
      if (found !== undefined)
        return found.type === "tree" ? null : toTreeEntry({ ...found, sha: found.id }, path);
      if (page.next === null) throw missing;
      next = withQuery(first, page.next);
    }
    throw new CarrelError("egress.unexpected-response", { host });
  }

  async archive(commit: string, maxBytes: number, timeoutMs: number): Promise<Readable> {
    const { client, path } = await this.reach();
    const archive = `${path}/repository/archive.tar.gz?sha=${commit}`;
    return client.open(archive, { maxBytes, timeoutMs });
  }

  async blob({ sha }: RepositoryFile, maxBytes: number): Promise<Readable> {
    const { client, path } = await this.reach();
    const raw = `${path}/repository/blobs/${encodeURIComponent(sha)}/raw`;
    return client.open(raw, { maxBytes });
  }

  fileAddress(path: string, branch: string): string {
    return `${this.address}/-/blob/${encodePath(branch)}/${encodePath(path)}`;
  }

  async issues(cursor: string | null): Promise<HostPage<ListedIssue>> {
    const { client, path, project: found } = await this.reach();
    // Switched off, they are answered as if the token might not see them.
    if (found.issues_access_level === "disabled") return { items: [], next: null };
    const first = "?scope=all&order_by=created_at&sort=asc&per_page=100";
    const { data, next } = await client.get(
      withQuery(`${path}/issues`, cursor ?? first),
      z.array(issue),
    );
    return { items: data.map(toListedIssue), next };
  }

  async issue(number: number): Promise<ListedIssue> {
    const { client, path } = await this.reach();
    return toListedIssue((await client.get(`${path}/issues/${number}`, issue)).data);
  }

  async issueBody(number: number): Promise<string> {
    const { client, path } = await this.reach();
    return (await client.get(`${path}/issues/${number}`, issue)).data.description ?? "";
  }

  async comments(number: number): Promise<Comment[]> {
    const { client, path } = await this.reach();
    const all = `${path}/issues/${number}/notes?sort=asc&order_by=created_at&per_page=100`;
    const items = await client.getAll(all, notes, maxPages);
    return items
      .filter(({ system, internal }) => !system && !internal)
      .map(({ body, created_at: createdAt, author: user }) => ({
        author: nameOf(user),
        createdAt,
        body,
      }));
  }

  /** All in one reply; GitLab tells no version of a page. */
  async wiki(): Promise<HostPage<ListedWikiPage>> {
    const { client, path, project: found } = await this.reach();
    if (found.wiki_access_level === "disabled") return { items: [], next: null };
    const { data } = await client.get(`${path}/wikis`, wikiPages);
    return {
      items: data.map(({ slug, title }) => ({
        slug,
        title,
        address: `${this.address}/-/wikis/${encodePath(slug)}`,
      })),
      next: null,
    };
  }

  async wikiPage(slug: string): Promise<{ text: string; ending: string }> {
    const { client, path } = await this.reach();
    const page = z.object({ content: z.string(), format: z.string() });
    const { data } = await client.get(`${path}/wikis/${encodeURIComponent(slug)}`, page);
    return { text: data.content, ending: wikiEndings[data.format] ?? ".md" };
  }

  async access(part: Part): Promise<AccessList> {
    const { client, path, project: found } = await this.reach();
    if (part !== "confidential-issues" && isPublic(found, part)) return "everyone";
    const ids = new Map<string, number>();
    return readAccess(
      async () => {
        const all = `${path}/members/all?per_page=100`;
        const items = await client.getAll(all, members, maxPages);
        const readers = items.filter(
          ({ state, access_level: role }) => state === "active" && role >= roles[part],
        );
        for (const { username, id } of readers) ids.set(username, id);
        return readers.map(({ username, email }) => ({ account: username, email: email ?? null }));
      },
      (account) => emailOf(client, ids.get(account)!),
    );
  }
}

/** Projects for everybody who is signed in count as private: who that is can't be listed. */
function isPublic(found: Project, part: Exclude<Part, "confidential-issues">): boolean {
  const levels = {
    files: found.repository_access_level,
    issues: found.issues_access_level,
    wiki: found.wiki_access_level,
  };
  return found.visibility === "public" && ["enabled", "public"].includes(levels[part]);
}

/** The e-mail that somebody shows; GitLab has verified it. */
const emailOf = (client: RepositoryClient, id: number): Promise<string | null> =>
  emails.get(`${client.api} ${id}`, async () => {
    const person = z.object({ public_email: z.string().nullish() });
    return (await client.get(`/users/${id}`, person)).data.public_email || null;
  });

const toListedIssue = (found: z.output<typeof issue>): ListedIssue => ({
  number: found.iid,
  title: found.title,
  address: found.web_url,
  author: nameOf(found.author),
  state: found.state === "opened" ? "open" : found.state,
  labels: found.labels,
  createdAt: found.created_at,
  updatedAt: found.updated_at,
  comments: found.user_notes_count,
  body: toStoredBody(found.description),
  isConfidential: found.confidential,
});
