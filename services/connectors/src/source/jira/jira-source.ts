import { Readable } from "node:stream";
import { CarrelError, clipText, type KnownFault } from "@carrel/contracts";
import { z } from "zod";
import type { Fetched, ListedItem, ListedPage, Source } from "../../connector/connector.ts";
import { toFilename } from "../../connector/file-type.ts";
import type { JsonApi } from "../../connector/json-api.ts";
import { writeAdf } from "./adf-markdown.ts";
import type { JiraSettings } from "./jira-form.ts";
import { writeWikiMarkup } from "./wiki-markup.ts";

export const jiraItem = z.object({
  id: z.string(),
  key: z.string(),
  title: z.string(),
  /** Unlike its key, it never changes. */
  projectId: z.string().optional(),
});
export type JiraItem = z.output<typeof jiraItem>;

const pageSize = 100;
const maxDocuments = 50_000;
const maxCommentPages = 50;

const projectWire = z.object({ id: z.coerce.string() }).nullish();
/** Present if only some people may see the issue, whoever may see its project. */
const securityWire = z.unknown().optional();
const found = z.object({
  id: z.coerce.string(),
  key: z.string(),
  fields: z.object({
    summary: z.string().nullish(),
    updated: z.string().nullish(),
    project: projectWire,
    security: securityWire,
  }),
});
/** In the cloud, pages follow each other by token; self-hosted, by their start. */
const searchWire = z.object({
  issues: z.array(found),
  nextPageToken: z.string().nullish(),
  total: z.number().optional(),
});
const named = z.object({ name: z.string().nullish() }).nullish();
const person = z.object({ displayName: z.string().nullish() }).nullish();
const comment = z.object({
  author: person,
  created: z.string().nullish(),
  body: z.unknown().optional(),
  /** Present if only a role or group may see it. */
  visibility: z.unknown().optional(),
  /** In service projects, whether customers may see it. The cloud says so itself. */
  jsdPublic: z.unknown().optional(),
  /** Self-hosted, a property does. */
  properties: z
    .array(z.object({ key: z.string(), value: z.unknown().optional() }))
    .nullish()
    .catch(null),
});
const commentsWire = z.object({ comments: z.array(comment), total: z.number().optional() });
const issueWire = z.object({
  id: z.coerce.string(),
  key: z.string(),
  fields: z.object({
    summary: z.string().nullish(),
    description: z.unknown().optional(),
    updated: z.string().nullish(),
    created: z.string().nullish(),
    project: projectWire,
    security: securityWire,
    issuetype: named,
    status: named,
    priority: named,
    resolution: named,
    assignee: person,
    reporter: person,
    labels: z.array(z.string()).nullish(),
    components: z.array(z.object({ name: z.string() })).nullish(),
    attachment: z.array(z.object({ filename: z.string() })).nullish(),
    comment: commentsWire.nullish(),
  }),
});
type Issue = z.output<typeof issueWire>;
type Comment = z.output<typeof comment>;

const fields =
  "summary,description,updated,created,project,security,issuetype,status,priority,resolution,assignee,reporter,labels,components,attachment,comment";

/**
 * The issues that a query finds. They are always listed whole, which takes one request for a
 * hundred issues: only what isn't listed any more tells which were deleted or moved.
 */
export class JiraSource implements Source<JiraItem> {
  readonly limits = { parallel: 4, maxDocuments, maxItems: maxDocuments * 2 };

  constructor(
    private readonly api: JsonApi,
    private readonly isCloud: boolean,
    private readonly settings: JiraSettings,
  ) {}

  async check(): Promise<void> {
    await this.search(null, 1);
  }

  async listProjects(): Promise<string[]> {
    const project = z.object({ key: z.string() });
    if (!this.isCloud)
      return (await this.api.get("/rest/api/2/project", z.array(project))).map(({ key }) => key);
    const keys: string[] = [];
    const wire = z.object({ values: z.array(project), isLast: z.boolean().default(true) });
    for (let start = 0; start < 5_000; start += pageSize) {
      const path = `/rest/api/3/project/search?startAt=${start}&maxResults=${pageSize}`;
      const page = await this.api.get(path, wire);
      keys.push(...page.values.map(({ key }) => key));
      if (page.isLast || page.values.length === 0) break;
    }
    return keys;
  }

  async list(cursor: string | null): Promise<ListedPage<JiraItem>> {
    const { issues, nextPageToken, total = 0 } = await this.search(cursor, pageSize);
    const start = this.isCloud ? 0 : Number(cursor ?? 0) + issues.length;
    const isMore = issues.length > 0 && start < Math.min(total, maxDocuments * 2);
    return {
      items: issues.map((issue) => this.toListed(issue)),
      next: this.isCloud ? nextPageToken || null : isMore ? String(start) : null,
    };
  }

  private search(cursor: string | null, limit: number) {
    const query = new URLSearchParams({
      jql: this.jql,
      fields: "summary,updated,project,security",
      maxResults: String(limit),
    });
    if (cursor !== null) query.set(this.isCloud ? "nextPageToken" : "startAt", cursor);
    const path = this.isCloud ? "/rest/api/3/search/jql" : "/rest/api/2/search";
    return this.api.get(`${path}?${query}`, searchWire);
  }

  /** In an order that changes of the issues don't affect while pages of it are read. */
  private get jql(): string {
    const { project = "", jql } = this.settings;
    const own = jql.replace(/\border\s+by\s[^"']*$/i, "").trim();
    const parts = [
      ...(project === "" ? [] : [`project = "${project}"`]),
      ...(own === "" ? [] : [`(${own})`]),
    ];
    return `${parts.join(" AND ")} ORDER BY created ASC, key ASC`;
  }

  private toListed({ id, key, fields }: z.output<typeof found>) {
    const { summary, updated, project, security } = fields;
    const title = `${key}: ${summary ?? ""}`.trim();
    return {
      externalId: id,
      item: { id, key, title, ...(project && { projectId: project.id }) },
      title,
      address: this.addressOf(key),
      ...(updated && { version: updated }),
      ...(Boolean(security) && { skip: restricted }),
    } satisfies ListedItem<JiraItem>;
  }

  async fetch(item: JiraItem, version: string | null): Promise<Fetched<JiraItem>> {
    const { id } = item;
    const path = `/rest/api/${this.isCloud ? 3 : 2}/issue/${encodeURIComponent(id)}`;
    const issue = await this.api.get(`${path}?fields=${fields}`, issueWire);
    const { summary, updated, created, reporter, security } = issue.fields;
    if (this.settings.project && isMoved(issue, item))
      throw new CarrelError("source.missing", { host: this.api.host });
    if (security) return { kind: "skipped", fault: restricted };
    if (updated && updated === version) return { kind: "unchanged" };
    const title = `${issue.key}: ${summary ?? ""}`.trim();
    const comments = this.settings.comments ? await this.readComments(issue, path) : [];
    const address = this.addressOf(issue.key);
    const { origin } = new URL(this.api.base);
    return {
      kind: "document",
      body: Readable.from([Buffer.from(this.write(title, issue, comments))]),
      filename: toFilename(title, ".md"),
      mime: "text/markdown",
      source: { kind: "connector", connector: "jira", reference: address },
      metadata: {
        title,
        url: address,
        docAuthor: clipText(reporter?.displayName ?? "", 200) || origin,
        description: clipText(title, 1_000),
        docSource: `${origin} Jira`,
        ...((updated ?? created) && { published: clipText((updated ?? created)!, 100) }),
      },
      ...(updated && { version: updated }),
    };
  }

  /**
   * Those that everybody who sees the issue may see. Only so many come with it; self-hosted, those
   * don't say whether they are internal.
   */
  private async readComments({ fields: { comment: own } }: Issue, path: string) {
    const known = own?.comments ?? [];
    const comments = this.isCloud ? [...known] : [];
    const total = own?.total ?? known.length;
    for (let page = 0; comments.length < total && page < maxCommentPages; page += 1) {
      const query = `startAt=${comments.length}&maxResults=${pageSize}&expand=properties`;
      const more = await this.api.get(`${path}/comment?${query}`, commentsWire);
      if (more.comments.length === 0) break;
      comments.push(...more.comments);
    }
    return comments.filter((each) => !isRestricted(each));
  }

  private write(title: string, { fields: issue }: Issue, comments: readonly Comment[]): string {
    const facts = [
      ["Type", issue.issuetype?.name],
      ["Status", issue.status?.name],
      ["Resolution", issue.resolution?.name],
      ["Priority", issue.priority?.name],
      ["Assignee", issue.assignee?.displayName],
      ["Reporter", issue.reporter?.displayName],
      ["Labels", issue.labels?.join(", ")],
      ["Components", issue.components?.map(({ name }) => name).join(", ")],
      ["Created", issue.created?.slice(0, 10)],
      ["Updated", issue.updated?.slice(0, 10)],
      ["Attachments", issue.attachment?.map(({ filename }) => filename).join(", ")],
    ].flatMap(([name, value]) => (value ? [`- ${name}: ${value.replace(/\s+/g, " ")}`] : []));
    const description = writeText(issue.description);
    const parts = [`# ${title}`, facts.join("\n"), description];
    for (const { author, created, body } of comments) {
      const text = writeText(body);
      const heading = [author?.displayName ?? "Someone", created?.slice(0, 10)].filter(Boolean);
      if (text !== "") parts.push(`## Comment by ${heading.join(", ")}`, text);
    }
    return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
  }

  private addressOf(key: string): string {
    return `${this.api.base}/browse/${encodeURIComponent(key)}`;
  }
}

/** Whether the issue is in another project than when it was listed; a project's key may change. */
const isMoved = ({ key, fields: { project } }: Issue, listed: JiraItem): boolean =>
  project && listed.projectId !== undefined
    ? project.id !== listed.projectId
    : projectKeyOf(key) !== projectKeyOf(listed.key);

const restricted: KnownFault = { code: "source.item-restricted" };

const internal = z.object({ internal: z.literal([true, "true"]) });
const isRestricted = ({ visibility, jsdPublic, properties }: Comment): boolean =>
  Boolean(visibility) ||
  jsdPublic === false ||
  properties?.some(
    ({ key, value }) => key === "sd.public.comment" && internal.safeParse(value).success,
  ) === true;

const projectKeyOf = (key: string): string => key.slice(0, key.lastIndexOf("-")).toUpperCase();

/** The cloud sends documents, self-hosted Jira wiki markup. */
const writeText = (body: unknown): string =>
  typeof body === "string" ? writeWikiMarkup(clipText(body, 1_000_000)) : writeAdf(body);
