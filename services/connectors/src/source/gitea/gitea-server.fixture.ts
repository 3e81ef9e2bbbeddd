import type { IncomingMessage, ServerResponse } from "node:http";
import {
  hashOf,
  refuse,
  RepositoryFixture,
  send,
  sendPage,
  writeArchive,
  type FixtureFile,
} from "../../repository/repository.fixture.ts";

/**
 * Written from Gitea's API definition (templates/swagger/v1_json.tmpl, version 1.24; Forgejo 12 has
 * the same): repositories, commits, branches, trees, archives, raw files, issues, comments, wiki,
 * collaborators, teams, users.
 */
export class GiteaFixture extends RepositoryFixture {
  /** Folder of the host. */
  base = "";
  repository: Record<string, unknown> = { private: false };
  issues: Record<string, unknown>[] = [];
  wiki: Map<string, string> | null = null;
  collaborators: object[] = [];
  /** Members of teams; null for a person's repository. */
  teams: object[][] | null = null;

  get repo(): string {
    return `${this.origin}${this.base}/octo/handbook`;
  }

  protected isSignedIn({ headers }: IncomingMessage): boolean {
    return headers.authorization === `token ${this.token}`;
  }

  protected route(_request: IncomingMessage, response: ServerResponse, url: URL): boolean {
    const api = `${this.base}/api/v1`;
    const root = `${api}/repos/octo/handbook`;
    const team = new RegExp(`^${api}/teams/(\\d+)/members$`).exec(url.pathname);
    if (team !== null) sendPage(response, url, this.teams?.[Number(team[1])] ?? [], "limit");
    else if (url.pathname === `${api}/users/octo`)
      send(response, { login: "octo", email: "octo@noreply.git.example.com" });
    else if (url.pathname.startsWith(root))
      return this.routeRepository(response, url, url.pathname.slice(root.length));
    else return false;
    return true;
  }

  private routeRepository(response: ServerResponse, url: URL, path: string): boolean {
    const [, kind = "", name = ""] =
      /^\/(git\/trees|archive|raw|issues|wiki\/pages|wiki\/page|\w+)(?:\/(.+))?$/.exec(path) ?? [];
    const key = decodeURIComponent(name);
    const head = this.branches.get(url.searchParams.get("sha") ?? "");
    const tree = this.commits.get(key.replace(".tar.gz", ""));
    const raw = this.commits.get(url.searchParams.get("ref") ?? "")?.get(key);
    const page = this.wiki?.get(key);
    if (path === "") send(response, this.writeRepository());
    else if (kind === "commits" && head !== undefined) send(response, [{ sha: head }]);
    else if (kind === "commits" && this.branches.size === 0) refuse(response, 409);
    else if (kind === "branches")
      sendPage(
        response,
        url,
        [...this.branches.keys()].map((branch) => ({ name: branch })),
        "limit",
      );
    else if (kind === "git/trees") return this.sendTree(response, url, key);
    else if (kind === "archive" && tree !== undefined) writeArchive(tree).pipe(response);
    else if (kind === "raw" && raw !== undefined) response.end(raw.content);
    else if (kind === "issues" && name === "") sendPage(response, url, this.issues, "limit");
    else if (kind === "issues" && name.endsWith("/comments")) send(response, [comment]);
    else if (kind === "issues") {
      const found = this.issues.find(({ number }) => String(number) === name);
      if (found === undefined) return false;
      send(response, found);
    } else if (kind === "wiki/pages" && this.wiki !== null)
      sendPage(response, url, [...this.wiki.keys()].map(writePage), "limit");
    else if (kind === "wiki/page" && page !== undefined)
      send(response, { title: key, content_base64: Buffer.from(page).toString("base64") });
    else if (kind === "collaborators") sendPage(response, url, this.collaborators, "limit");
    else if (kind === "teams" && this.teams !== null)
      send(
        response,
        this.teams.map((_, id) => ({ id, name: `team ${id}` })),
      );
    else if (kind === "teams") response.writeHead(405).end();
    else return false;
    return true;
  }

  private writeRepository() {
    return {
      default_branch: "main",
      internal: false,
      owner: { login: "octo", visibility: "public" },
      ...this.repository,
    };
  }

  /** A folder's tree is named "<commit>:<folder>/". */
  private sendTree(response: ServerResponse, url: URL, name: string): boolean {
    const [commit = "", prefix = ""] = name.split(":");
    const inside = [...(this.commits.get(commit) ?? [])].filter(([path]) =>
      path.startsWith(prefix),
    );
    if (inside.length === 0) return false;
    if (!url.searchParams.has("recursive")) {
      const folder = inside.map(([path, file]) => writeOwn(path.slice(prefix.length), file, name));
      const tree = [...new Map(folder.map((entry) => [entry.path, entry])).values()];
      send(response, { sha: name, tree, truncated: false });
      return true;
    }
    const all = inside;
    const page = Number(url.searchParams.get("page"));
    const size = Number(url.searchParams.get("per_page"));
    const entries = all
      .slice((page - 1) * size, page * size)
      .map(([path, file]) => writeEntry(path, file));
    send(response, {
      sha: commit,
      tree: entries,
      truncated: page * size < all.length,
      page,
      total_count: all.length,
    });
    return true;
  }
}

const writeEntry = (path: string, file: FixtureFile) => ({
  path,
  mode: file.mode ?? "100644",
  type: file.mode === "160000" ? "commit" : "blob",
  size: file.mode === "160000" ? 0 : Buffer.byteLength(file.content),
  sha: hashOf(file),
});

/** A file, or the folder that it is in. */
function writeOwn(path: string, file: FixtureFile, tree: string) {
  const [first = "", ...rest] = path.split("/");
  if (rest.length === 0) return writeEntry(path, file);
  const sha = `${tree}${tree.includes(":") ? "" : ":"}${first}/`;
  return { path: first, mode: "040000", type: "tree", size: 0, sha };
}

const comment = {
  body: "Because.",
  created_at: "2026-11-03T08:00:00Z",
  user: { login: "tom" },
};

const writePage = (title: string) => ({
  title,
  sub_url: encodeURIComponent(title),
  html_url: `https://git.example.com/octo/handbook/wiki/${encodeURIComponent(title)}`,
  last_commit: { sha: "c0ffee" },
});
