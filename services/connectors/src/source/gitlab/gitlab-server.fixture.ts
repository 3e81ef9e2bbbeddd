import type { IncomingMessage, ServerResponse } from "node:http";
import {
  hashOf,
  RepositoryFixture,
  send,
  sendPage,
  writeArchive,
} from "../../repository/repository.fixture.ts";

/**
 * Written from GitLab's REST API documentation (docs.gitlab.com/api, version 18.5): projects,
 * commits, branches, repositories, issues, notes, wikis, members, users.
 */
export class GitlabFixture extends RepositoryFixture {
  /** Folder of the host. */
  base = "";
  project: Record<string, unknown> = { visibility: "public" };
  issues: Record<string, unknown>[] = [];
  notes: Record<string, unknown>[] = [];
  wiki = new Map<string, string>();
  members: Record<string, unknown>[] = [];
  publicEmails = new Map<number, string>();

  get repo(): string {
    return `${this.origin}${this.base}/group/sub/handbook`;
  }

  protected isSignedIn({ headers }: IncomingMessage): boolean {
    return headers["private-token"] === this.token;
  }

  protected route(_request: IncomingMessage, response: ServerResponse, url: URL): boolean {
    const api = `${this.base}/api/v4`;
    if (!url.pathname.startsWith(`${api}/`)) {
      response.setHeader("content-type", "text/html");
      response.end("<html>Sign in</html>");
      return true;
    }
    const user = new RegExp(`^${api}/users/(\\d+)$`).exec(url.pathname);
    if (user !== null) {
      send(response, { public_email: this.publicEmails.get(Number(user[1])) ?? "" });
      return true;
    }
    const root = `${api}/projects/group%2Fsub%2Fhandbook`;
    return url.pathname.startsWith(root)
      ? this.routeProject(response, url, url.pathname.slice(root.length))
      : false;
  }

  private routeProject(response: ServerResponse, url: URL, path: string): boolean {
    const [, kind, name = ""] = /^\/(?:repository\/)?(\w+)(?:\/(.+))?$/.exec(path) ?? [];
    const key = decodeURIComponent(name);
    const commit = this.branches.get(key);
    if (kind === undefined) send(response, this.writeProject());
    else if (kind === "commits" && commit !== undefined) send(response, { id: commit });
    else if (kind === "branches")
      sendPage(
        response,
        url,
        [...this.branches.keys()].map((branch) => ({ name: branch })),
      );
    else if (kind === "tree") return this.sendTree(response, url);
    else if (kind === "blobs") {
      const blob = this.findBlob(name.replace(/\/raw$/, ""));
      if (blob === null) return false;
      response.end(blob.content);
    } else if (kind === "issues" && name === "") sendPage(response, url, this.issues);
    else if (kind === "issues" && name.endsWith("/notes")) sendPage(response, url, this.notes);
    else if (kind === "issues") {
      const found = this.issues.find(({ iid }) => String(iid) === name);
      if (found === undefined) return false;
      send(response, found);
    } else if (kind === "wikis" && name === "")
      send(
        response,
        [...this.wiki.keys()].map((slug) => ({ slug, title: slug, format: "markdown" })),
      );
    else if (kind === "wikis" && this.wiki.has(key))
      send(response, { slug: key, content: this.wiki.get(key), format: "asciidoc" });
    else if (kind === "members") sendPage(response, url, this.members);
    else return this.sendArchive(response, url, path);
    return true;
  }

  private sendArchive(response: ServerResponse, url: URL, path: string): boolean {
    const tree = this.commits.get(url.searchParams.get("sha") ?? "");
    if (path !== "/repository/archive.tar.gz" || tree === undefined) return false;
    writeArchive(tree).pipe(response);
    return true;
  }

  private writeProject() {
    return {
      id: 7,
      default_branch: this.commits.size > 0 ? "main" : null,
      empty_repo: this.commits.size === 0,
      web_url: "https://inside.example/group/sub/handbook",
      ...this.project,
    };
  }

  private sendTree(response: ServerResponse, url: URL): boolean {
    const tree = this.commits.get(url.searchParams.get("ref") ?? "");
    if (tree === undefined) return false;
    const folder = url.searchParams.get("path");
    const inside = [...tree].filter(
      ([path]) =>
        folder === null || (path.includes("/") ? path.replace(/\/[^/]*$/, "") : "") === folder,
    );
    if (inside.length === 0) return false;
    const entries = inside.map(([path, file]) => ({
      id: hashOf(file),
      path,
      name: path,
      type: file.mode === "160000" ? "commit" : "blob",
      mode: file.mode ?? "100644",
    }));
    sendPage(response, url, [
      { id: "0", path: "docs", name: "docs", type: "tree", mode: "040000" },
      ...entries,
    ]);
    return true;
  }
}
