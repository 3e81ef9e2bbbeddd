import type { IncomingMessage, ServerResponse } from "node:http";
import {
  hashOf,
  refuse,
  RepositoryFixture,
  send,
  sendPage,
  writeArchive,
  type FixtureTree,
} from "../../repository/repository.fixture.ts";

export interface FixtureIssue {
  number: number;
  title: string;
  body: string | null;
  updated_at: string;
  comments: string[];
  isPullRequest?: boolean;
}

const base = "/api/v3/repos/octo/handbook";

/**
 * Written from GitHub's OpenAPI description (github/rest-api-description, api.github.com, version
 * 2022-11-28): repositories, branches, commits, git trees and blobs, archives, issues, collaborators.
 */
export class GithubFixture extends RepositoryFixture {
  issues: FixtureIssue[] = [];
  isPrivate = false;
  hasIssues = true;
  /** Of the repository in the API; left out by default. */
  url: string | undefined;
  people: { login: string; email: string | null }[] = [];
  /** Lists folders one by one beyond so many entries. */
  largestTree = 100_000;

  get repo(): string {
    return `${this.origin}/octo/handbook`;
  }

  protected isSignedIn({ headers }: IncomingMessage): boolean {
    return headers.authorization === `Bearer ${this.token}`;
  }

  protected route(request: IncomingMessage, response: ServerResponse, url: URL): boolean {
    const path = decodeURIComponent(url.pathname);
    if (path === base)
      send(response, {
        default_branch: "main",
        private: this.isPrivate,
        has_issues: this.hasIssues,
        url: this.url,
      });
    else if (path === `${base}/branches`)
      sendPage(
        response,
        url,
        [...this.branches.keys()].map((name) => ({ name })),
      );
    else if (path === `${base}/issues`) sendPage(response, url, this.issues.map(writeIssue));
    else if (path === `${base}/collaborators`) sendPage(response, url, this.people);
    else return this.routeObject(response, url, path);
    return true;
  }

  private routeObject(response: ServerResponse, url: URL, path: string): boolean {
    const [, kind = "", name = ""] =
      /^\/api\/v3\/(?:repos\/octo\/handbook\/)?(commits|git\/trees|git\/blobs|tarball|issues|users)\/(.+)$/.exec(
        path,
      ) ?? [];
    const tree = this.commits.get(name);
    const blob = this.findBlob(name);
    const commit = this.branches.get(name);
    const issue = this.issues.find(({ number }) => name.startsWith(`${number}/`));
    const single = this.issues.find(({ number }) => name === String(number));
    const person = this.people.find(({ login }) => login === name);
    if (kind === "commits" && commit !== undefined) response.end(commit);
    else if (kind === "commits" && this.branches.size === 0) refuse(response, 409);
    else if (kind === "git/trees") return this.sendTree(response, url, name);
    else if (kind === "git/blobs" && blob !== null) response.end(blob.content);
    else if (kind === "tarball" && tree !== undefined) writeArchive(tree).pipe(response);
    else if (kind === "issues" && single !== undefined) send(response, writeIssue(single));
    else if (kind === "issues" && issue !== undefined)
      sendPage(
        response,
        url,
        issue.comments.map((body) => ({
          user: { login: "hubot" },
          created_at: "2026-11-02T08:00:00Z",
          body,
        })),
      );
    else if (kind === "users" && person !== undefined) send(response, person);
    else return false;
    return true;
  }

  /** A folder's tree is named "<commit>:<folder>". */
  private sendTree(response: ServerResponse, url: URL, name: string): boolean {
    const [commit = "", folder] = name.split(":");
    const tree = this.commits.get(commit);
    if (tree === undefined) return false;
    const prefix = folder === undefined ? "" : `${folder}/`;
    const inside = [...tree].filter(([path]) => path.startsWith(prefix));
    const isRecursive = url.searchParams.has("recursive");
    const truncated = isRecursive && inside.length > this.largestTree;
    const entries = new Map<string, object>();
    for (const [path, file] of truncated ? inside.slice(0, 1) : inside) {
      const own = path.slice(prefix.length);
      const [first = "", ...rest] = own.split("/");
      if (isRecursive || rest.length === 0) entries.set(own, writeEntry(own, file));
      else
        entries.set(first, {
          path: first,
          mode: "040000",
          type: "tree",
          sha: `${commit}:${prefix}${first}`,
        });
    }
    send(response, { sha: name, tree: [...entries.values()], truncated });
    return true;
  }
}

const writeEntry = (path: string, file: FixtureTree extends Map<string, infer F> ? F : never) => ({
  path,
  mode: file.mode ?? "100644",
  type: file.mode === "160000" ? "commit" : "blob",
  sha: hashOf(file),
  ...(file.mode !== "160000" && { size: Buffer.byteLength(file.content) }),
});

const writeIssue = ({ isPullRequest, comments, ...issue }: FixtureIssue) => ({
  ...issue,
  html_url: `https://github.example/octo/handbook/issues/${issue.number}`,
  user: { login: "octocat" },
  state: "open",
  labels: [{ name: "question" }],
  created_at: "2026-11-01T08:00:00Z",
  comments: comments.length,
  ...(isPullRequest && { pull_request: { url: "https://github.example" } }),
});
