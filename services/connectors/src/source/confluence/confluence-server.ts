import { z } from "zod";
import { nextLink, type JsonApi } from "../../connector/json-api.ts";
import {
  attachmentWire,
  toAttachment,
  type ConfluenceApi,
  type ConfluenceItem,
  type ConfluencePage,
  type ContentList,
  type Person,
  type ReaderList,
} from "./confluence-api.ts";
import { readMembers, readRestriction } from "./confluence-cloud.ts";

const pageSize = 100;
const maxPages = 200;

const pagedWire = { size: z.number().optional(), start: z.number().optional(), _links: nextLink };
const attachmentsWire = z.object({ results: z.array(attachmentWire), ...pagedWire });
const contentWire = z.object({
  id: z.coerce.string(),
  title: z.string(),
  version: z.object({
    number: z.number(),
    when: z.string().nullish(),
    by: z.object({ displayName: z.string().nullish() }).nullish(),
  }),
  children: z.object({ attachment: attachmentsWire.optional() }).optional(),
  _links: z.object({ webui: z.string() }),
});
const pageWire = contentWire.extend({
  status: z.string().default("current"),
  space: z.object({ key: z.string() }),
  body: z.object({ storage: z.object({ value: z.string() }).optional() }).optional(),
  metadata: z
    .object({ labels: z.object({ results: z.array(z.object({ name: z.string() })) }).optional() })
    .optional(),
});
/** Each version of Confluence names these parts differently. */
const permissionWire = z.object({
  operation: z
    .object({
      key: z.string().optional(),
      operationKey: z.string().optional(),
      operation: z.string().optional(),
      targetType: z.string().optional(),
    })
    .optional(),
  subject: z
    .object({
      type: z.string().optional(),
      name: z.string().optional(),
      username: z.string().optional(),
      userKey: z.string().optional(),
    })
    .nullish(),
});

/** Self-hosted Confluence (Server and Data Center): REST API v1. */
export class ConfluenceServer implements ConfluenceApi {
  constructor(
    private readonly api: JsonApi,
    private readonly spaceKey: string,
  ) {}

  get host(): string {
    return this.api.host;
  }
  get base(): string {
    return this.api.base;
  }
  private get spacePath(): string {
    return `/rest/api/space/${encodeURIComponent(this.spaceKey)}`;
  }

  async listSpaces(): Promise<string[]> {
    const keys: string[] = [];
    let address: string | null | undefined = `/rest/api/space?start=0&limit=${pageSize}`;
    const wire = z.object({ results: z.array(z.object({ key: z.string() })), ...pagedWire });
    for (let page = 0; address && page < maxPages; page += 1) {
      const found: z.output<typeof wire> = await this.api.get(address, wire);
      keys.push(...found.results.map(({ key }) => key));
      address = nextOf(address, found);
    }
    return keys;
  }

  async findSpace(): Promise<void> {
    await this.api.get(this.spacePath, z.object({ key: z.string() }));
  }

  listed({ blogPosts, attachments }: { blogPosts: boolean; attachments: boolean }) {
    const expand = attachments ? "version,children.attachment.version" : "version";
    const address = (type: string): string =>
      `/rest/api/content?${new URLSearchParams({
        spaceKey: this.spaceKey,
        type,
        status: "current",
        expand,
        start: "0",
        limit: String(pageSize),
      })}`;
    return Promise.resolve([address("page"), ...(blogPosts ? [address("blogpost")] : [])]);
  }

  async list(address: string): Promise<ContentList> {
    const ofPage = /\/content\/([^/?]+)\/child\/attachment/.exec(address)?.[1];
    if (ofPage !== undefined) {
      const found = await this.api.get(address, attachmentsWire);
      const next = nextOf(address, found);
      return {
        items: found.results.flatMap((wire) => toAttachment(wire, decodeURIComponent(ofPage))),
        next: next ? [next] : [],
        ...(next === null && { isCut: true }),
      };
    }
    const found = await this.api.get(
      address,
      z.object({ results: z.array(contentWire), ...pagedWire }),
    );
    const kind = address.includes("type=blogpost") ? "blogpost" : "page";
    const next = nextOf(address, found);
    return {
      items: found.results.flatMap((wire): ConfluenceItem[] => [
        {
          kind,
          id: wire.id,
          title: wire.title,
          version: String(wire.version.number),
          webui: wire._links.webui,
        },
        ...(wire.children?.attachment?.results.flatMap((each) => toAttachment(each, wire.id)) ??
          []),
      ]),
      next: [
        // Only so many come with their page.
        ...found.results.flatMap(({ children }) => children?.attachment?._links?.next ?? []),
        ...(next ? [next] : []),
      ],
      ...(next === null && { isCut: true }),
    };
  }

  async readPage({ id }: ConfluenceItem): Promise<ConfluencePage | null> {
    const expand = "body.storage,version,space,metadata.labels";
    const page = await this.api.get(
      `/rest/api/content/${encodeURIComponent(id)}?expand=${expand}`,
      pageWire,
    );
    if (page.status !== "current" || page.space.key !== this.spaceKey) return null;
    return {
      title: page.title,
      version: String(page.version.number),
      body: page.body?.storage?.value ?? "",
      webui: page._links.webui,
      author: page.version.by?.displayName ?? "",
      published: page.version.when ?? "",
      labels: page.metadata?.labels?.results.map(({ name }) => name) ?? [],
    };
  }

  async readAttachment({ id, pageId }: ConfluenceItem): Promise<ConfluenceItem | null> {
    const wire = await this.api.get(
      `/rest/api/content/${encodeURIComponent(id)}?expand=version,container`,
      attachmentWire.extend({ status: z.string().default("current") }),
    );
    return (wire.status === "current" && toAttachment(wire, pageId)[0]) || null;
  }

  /** Pages mention people by their keys, or by their names in old versions. */
  async nameOf(account: string): Promise<string | null> {
    const wire = z.object({ displayName: z.string().nullish() });
    const text = encodeURIComponent(account);
    const user =
      (await this.api.find(`/rest/api/user?key=${text}`, wire)) ??
      (await this.api.find(`/rest/api/user?username=${text}`, wire));
    return user?.displayName ?? null;
  }

  async ancestorsOf({ id, kind }: ConfluenceItem): Promise<string[]> {
    if (kind === "blogpost") return [];
    const { ancestors } = await this.api.get(
      `/rest/api/content/${encodeURIComponent(id)}?expand=ancestors`,
      z.object({ ancestors: z.array(z.object({ id: z.coerce.string() })).default([]) }),
    );
    return ancestors.map((ancestor) => ancestor.id);
  }

  readersOf(contentId: string): Promise<ReaderList | null> {
    return readRestriction(this.api, contentId, ({ name }) => name ?? null);
  }

  async spaceReaders(): Promise<ReaderList | null> {
    const found = await this.api.find(
      `${this.spacePath}/permissions`,
      z.union([
        z.array(permissionWire),
        z.object({ results: z.array(permissionWire) }).transform(({ results }) => results),
        z.object({ permissions: z.array(permissionWire) }).transform((all) => all.permissions),
      ]),
    );
    if (found === null) return null;
    const list: ReaderList = { people: [], groups: [] };
    for (const { operation, subject } of found) {
      const verb = operation?.key ?? operation?.operationKey ?? operation?.operation ?? "";
      const isAboutSpace = (operation?.targetType ?? "space") === "space";
      if (!isAboutSpace || !/^(read|view|viewspace)$/i.test(verb) || !subject) continue;
      const account = subject.username ?? subject.name ?? subject.userKey;
      if (account === undefined) continue;
      if (subject.type?.toLowerCase() === "group") list.groups.push(account);
      else if (subject.type?.toLowerCase() === "user") list.people.push({ account, email: null });
    }
    return list;
  }

  membersOf(group: string): Promise<Person[]> {
    return readMembers(this.api, `/rest/api/group/${encodeURIComponent(group)}/member`);
  }

  isPublic(): Promise<boolean> {
    return this.api.anonymous.answers(this.spacePath, z.object({ key: z.string() }));
  }
}

/**
 * The next page of a list by start and limit. The server may send fewer than were asked for, so it
 * is what it sent that counts; if that is nothing because the credential may not see it, where its
 * own link begins. undefined at the end, null if that is unknown.
 */
function nextOf(
  address: string,
  {
    results,
    size,
    _links: links,
  }: { results: unknown[]; size?: number; _links?: { next?: string | null } | null },
): string | null | undefined {
  if (!links?.next) return undefined;
  const [path = "", query = ""] = address.split("?");
  const parameters = new URLSearchParams(query);
  const startOf = (from: URLSearchParams): number => Number(from.get("start") ?? 0) || 0;
  const start = startOf(parameters);
  const count = size ?? results.length;
  const next =
    count > 0 ? start + count : startOf(new URLSearchParams(links.next.split("?")[1] ?? ""));
  if (next <= start) return null;
  parameters.set("start", String(next));
  return `${path}?${parameters}`;
}
