import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";

/*
 * Written from Atlassian's published API definitions: Jira Cloud platform REST API v3
 * (developer.atlassian.com/cloud/jira/platform/rest/v3, as of 2025) and the REST API v2 of Jira
 * Data Center 9.12 (docs.atlassian.com/software/jira/docs/api/REST/9.12.0).
 */

export interface FixtureIssue {
  id: string;
  key: string;
  /** Older servers leave it out. */
  projectId?: string;
  summary: string;
  updated: string;
  description: unknown;
  comments?: {
    author: string;
    body: unknown;
    visibility?: { type: string; value: string };
    isInternal?: true;
  }[];
  /** The name of its security level. */
  security?: string;
  attachments?: string[];
}

export class JiraFixture {
  issues: FixtureIssue[] = [];
  readonly answers = new Map<string, (response: ServerResponse) => void>();
  /** Queries in the order in which they were asked. */
  readonly queries: string[] = [];

  constructor(
    private readonly kind: "cloud" | "server",
    private readonly contextPath: string,
    private readonly authorization: string,
  ) {}

  readonly listener: RequestListener = (request: IncomingMessage, response) => {
    const { pathname, searchParams: query } = new URL(request.url ?? "/", "http://fixture");
    if (pathname === "/" && this.contextPath !== "")
      return void response
        .writeHead(302, { location: `${this.contextPath}/secure/Dashboard.jspa` })
        .end();
    if (!pathname.startsWith(`${this.contextPath}/`)) return void response.writeHead(404).end();
    const path = pathname.slice(this.contextPath.length);
    const own = this.answers.get(path);
    if (own) return own(response);
    if (path.startsWith("/secure/")) return void response.end("<html>Dashboard</html>");
    if (request.headers.authorization !== this.authorization)
      return void response.writeHead(401).end("{}");
    const found = this.answer(path, query);
    if (found === null) return void response.writeHead(404).end("{}");
    response.setHeader("content-type", "application/json").end(JSON.stringify(found));
  };

  private answer(path: string, query: URLSearchParams): object | null {
    const api = this.kind === "cloud" ? "/rest/api/3" : "/rest/api/2";
    if (path === "/rest/api/2/serverInfo")
      return { deploymentType: this.kind === "cloud" ? "Cloud" : "Server", version: "9.12.0" };
    if (path === "/rest/api/2/project") return [{ key: "HR" }, { key: "DEV" }];
    if (path === "/rest/api/3/project/search")
      return { values: [{ key: "HR" }, { key: "DEV" }], isLast: true };
    if (path === `${api}${this.kind === "cloud" ? "/search/jql" : "/search"}`) {
      this.queries.push(query.get("jql")!);
      const start = Number(query.get("nextPageToken") ?? query.get("startAt") ?? 0);
      const end = start + Math.min(100, Number(query.get("maxResults")));
      const issues = this.issues
        .slice(start, end)
        .map(({ id, key, projectId, summary, updated, security }) => ({
          id,
          key,
          fields: {
            summary,
            updated,
            ...(projectId && { project: { id: projectId } }),
            ...(query.get("fields")?.includes("security") && {
              security: security ? { name: security } : null,
            }),
          },
        }));
      if (this.kind === "server") return { issues, startAt: start, total: this.issues.length };
      return end < this.issues.length
        ? { issues, nextPageToken: String(end) }
        : { issues, isLast: true };
    }
    const [, id, part] = /^\/rest\/api\/[23]\/issue\/([^/]+)(\/comment)?$/.exec(path) ?? [];
    const issue = path.startsWith(api) ? this.issues.find((each) => each.id === id) : undefined;
    if (issue === undefined) return null;
    const comments = (issue.comments ?? []).map(({ author, body, visibility, isInternal }) => ({
      author: { displayName: author },
      created: "2026-05-02T10:00:00.000+0000",
      body,
      ...(visibility && { visibility }),
      ...(this.kind === "cloud" && { jsdPublic: !isInternal }),
      ...(this.kind === "server" &&
        query.get("expand") === "properties" && {
          properties: isInternal ? [{ key: "sd.public.comment", value: { internal: true } }] : [],
        }),
    }));
    if (part) {
      const start = Number(query.get("startAt"));
      return { comments: comments.slice(start, start + 100), total: comments.length };
    }
    return {
      id: issue.id,
      key: issue.key,
      fields: {
        summary: issue.summary,
        description: issue.description,
        updated: issue.updated,
        ...(issue.projectId && { project: { id: issue.projectId } }),
        created: "2026-05-01T10:00:00.000+0000",
        issuetype: { name: "Task" },
        status: { name: "Done" },
        resolution: null,
        assignee: null,
        ...(query.get("fields")?.includes("security") && {
          security: issue.security ? { name: issue.security } : null,
        }),
        reporter: { displayName: "Ada" },
        labels: ["faq", "pay"],
        attachment: (issue.attachments ?? []).map((filename) => ({ filename })),
        // Only so many come with their issue.
        comment: { comments: comments.slice(0, 2), total: comments.length },
      },
    };
  }
}
