import { CarrelError } from "@carrel/contracts";
import { z } from "zod";
import { nextLink, nullIfOutOfReach, type JsonApi } from "../../connector/json-api.ts";
import { Memo } from "../../connector/memo.ts";
import {
  attachmentWire,
  personWire,
  restrictionWire,
  toAttachment,
  toPerson,
  type ConfluenceApi,
  type ConfluenceItem,
  type ConfluencePage,
  type ContentList,
  type Person,
  type ReaderList,
} from "./confluence-api.ts";

const maxPages = 200;

const listOf = <Schema extends z.ZodType>(result: Schema) =>
  z.object({ results: z.array(result), _links: nextLink });
const spaceWire = z.object({ id: z.coerce.string(), key: z.string() });
const contentWire = z.object({
  id: z.coerce.string(),
  title: z.string(),
  status: z.string().default("current"),
  spaceId: z.coerce.string(),
  version: z.object({
    number: z.number(),
    createdAt: z.string().optional(),
    authorId: z.string().nullish(),
  }),
  _links: z.object({ webui: z.string() }),
});
const pageWire = contentWire.extend({
  body: z.object({ storage: z.object({ value: z.string() }).optional() }).optional(),
  labels: z.object({ results: z.array(z.object({ name: z.string() })) }).optional(),
});
const permissionWire = z.object({
  principal: z.object({ type: z.string(), id: z.string() }),
  operation: z.object({ key: z.string(), targetType: z.string() }),
});
const attachmentAddress = "/rest/api/content/search";

/** Confluence Cloud: REST API v2, and v1 for what v2 doesn't have. */
export class ConfluenceCloud implements ConfluenceApi {
  private readonly space = new Memo<string>();

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

  async listSpaces(): Promise<string[]> {
    const spaces = await this.readAll("/api/v2/spaces?limit=250&status=current", spaceWire);
    return spaces.map(({ key }) => key);
  }

  async findSpace(): Promise<void> {
    await this.spaceId();
  }

  private spaceId(): Promise<string> {
    return this.space.get("", async () => {
      const path = `/api/v2/spaces?keys=${encodeURIComponent(this.spaceKey)}`;
      const { results } = await this.api.get(path, listOf(spaceWire));
      const found = results.find(({ key }) => key === this.spaceKey) ?? results[0];
      if (found === undefined) throw new CarrelError("source.nothing-found");
      return found.id;
    });
  }

  async listed({ blogPosts, attachments }: { blogPosts: boolean; attachments: boolean }) {
    const path = `/api/v2/spaces/${encodeURIComponent(await this.spaceId())}`;
    const query = new URLSearchParams({
      cql: `space = "${this.spaceKey}" and type = attachment`,
      expand: "version,container",
      limit: "100",
    });
    return [
      `${path}/pages?limit=250&status=current`,
      ...(blogPosts ? [`${path}/blogposts?limit=250&status=current`] : []),
      ...(attachments ? [`${attachmentAddress}?${query}`] : []),
    ];
  }

  async list(address: string): Promise<ContentList> {
    if (address.includes(attachmentAddress)) {
      const { results, _links: links } = await this.api.get(address, listOf(attachmentWire));
      const items = results
        .flatMap((wire) => toAttachment(wire, undefined))
        .map((item) => ({ ...item, download: downloadPath(item.pageId ?? "", item.id) }));
      return { items, next: links?.next ? [links.next] : [] };
    }
    const { results, _links: links } = await this.api.get(address, listOf(contentWire));
    const kind = address.includes("/blogposts?") ? "blogpost" : "page";
    return {
      items: results.map((wire) => ({
        kind,
        id: wire.id,
        title: wire.title,
        version: String(wire.version.number),
        webui: wire._links.webui,
      })),
      next: links?.next ? [links.next] : [],
    };
  }

  async readPage({ id, kind }: ConfluenceItem): Promise<ConfluencePage | null> {
    const page = await this.api.get(
      `${pathOf(kind, id)}?body-format=storage&include-labels=true`,
      pageWire,
    );
    if (page.status !== "current" || page.spaceId !== (await this.spaceId())) return null;
    const { authorId } = page.version;
    return {
      title: page.title,
      version: String(page.version.number),
      body: page.body?.storage?.value ?? "",
      webui: page._links.webui,
      author: (authorId && (await this.nameOf(authorId))) || "",
      published: page.version.createdAt ?? "",
      labels: page.labels?.results.map(({ name }) => name) ?? [],
    };
  }

  async readAttachment(item: ConfluenceItem): Promise<ConfluenceItem | null> {
    const found = await this.api.get(
      `/api/v2/attachments/${encodeURIComponent(item.id)}`,
      z.object({
        status: z.string().default("current"),
        title: z.string().optional(),
        mediaType: z.string().nullish(),
        fileSize: z.number().nullish(),
        version: z.object({ number: z.number() }),
      }),
    );
    if (found.status !== "current") return null;
    return {
      ...item,
      title: found.title ?? item.title,
      version: String(found.version.number),
      mediaType: found.mediaType ?? item.mediaType,
      bytes: found.fileSize ?? undefined,
    };
  }

  async nameOf(account: string): Promise<string | null> {
    const user = await this.api.find(
      `/rest/api/user?accountId=${encodeURIComponent(account)}`,
      z.object({ displayName: z.string().nullish() }),
    );
    return user?.displayName ?? null;
  }

  async ancestorsOf({ id, kind }: ConfluenceItem): Promise<string[]> {
    if (kind === "blogpost") return [];
    const ancestors = await this.readAll(
      `/api/v2/pages/${encodeURIComponent(id)}/ancestors?limit=250`,
      z.object({ id: z.coerce.string() }),
    );
    return ancestors.map((ancestor) => ancestor.id);
  }

  async readersOf(contentId: string): Promise<ReaderList | null> {
    return readRestriction(this.api, contentId, ({ id, name }) => id ?? name ?? null);
  }

  async spaceReaders(): Promise<ReaderList | null> {
    const address = `/api/v2/spaces/${encodeURIComponent(await this.spaceId())}/permissions?limit=250`;
    const permissions = await this.readAll(address, permissionWire).catch(nullIfOutOfReach);
    if (permissions === null) return null;
    const readers = permissions.filter(
      ({ operation }) => operation.key === "read" && operation.targetType === "space",
    );
    const idsOf = (type: string): string[] =>
      readers
        .filter(({ principal }) => principal.type === type)
        .map(({ principal }) => principal.id);
    return {
      people: idsOf("user").map((account) => ({ account, email: null })),
      groups: idsOf("group"),
    };
  }

  membersOf(group: string): Promise<Person[]> {
    return readMembers(this.api, `/rest/api/group/${encodeURIComponent(group)}/membersByGroupId`);
  }

  async isPublic(): Promise<boolean> {
    const path = `/api/v2/spaces/${encodeURIComponent(await this.spaceId())}`;
    return this.api.anonymous.answers(path, spaceWire);
  }

  private async readAll<Schema extends z.ZodType>(
    first: string,
    schema: Schema,
  ): Promise<z.output<Schema>[]> {
    const all: z.output<Schema>[] = [];
    let address: string | null | undefined = first;
    for (let page = 0; address && page < maxPages; page += 1) {
      const { results, _links: links }: z.output<ReturnType<typeof listOf<Schema>>> =
        await this.api.get(address, listOf(schema));
      all.push(...results);
      address = links?.next;
    }
    return all;
  }
}

/** The addresses in answers are for browsers, which have a session. */
const downloadPath = (pageId: string, id: string): string =>
  `/rest/api/content/${encodeURIComponent(pageId)}/child/attachment/${encodeURIComponent(id)}/download`;

const pathOf = (kind: ConfluenceItem["kind"], id: string): string =>
  `/api/v2/${kind === "blogpost" ? "blogposts" : "pages"}/${encodeURIComponent(id)}`;

const memberPage = 200;

/** Everybody in a group; those who are listed until the server refuses. */
export async function readMembers(api: JsonApi, path: string): Promise<Person[]> {
  const people: Person[] = [];
  for (let page = 0; page < maxPages; page += 1) {
    const found = await api.find(
      `${path}?start=${page * memberPage}&limit=${memberPage}`,
      z.object({ results: z.array(personWire) }),
    );
    people.push(...(found?.results.flatMap(toPerson) ?? []));
    if (found === null || found.results.length < memberPage) break;
  }
  return people;
}

const restrictionPage = 100;

/** Own read restrictions of a page; those of the pages that it is in apply too. */
export async function readRestriction(
  api: JsonApi,
  contentId: string,
  groupOf: (group: { id?: string | null; name?: string | null }) => string | null,
): Promise<ReaderList | null> {
  const list: ReaderList = { people: [], groups: [] };
  for (let page = 0; page < maxPages; page += 1) {
    const found = await api.find(
      `/rest/api/content/${encodeURIComponent(contentId)}/restriction/byOperation/read` +
        `?expand=restrictions.user,restrictions.group&start=${page * restrictionPage}&limit=${restrictionPage}`,
      restrictionWire,
    );
    if (found === null) return page === 0 ? null : list;
    const { user, group } = found.restrictions;
    list.people.push(...(user?.results.flatMap(toPerson) ?? []));
    list.groups.push(...(group?.results.flatMap((one) => groupOf(one) ?? []) ?? []));
    const most = Math.max(user?.results.length ?? 0, group?.results.length ?? 0);
    if (most < restrictionPage) break;
  }
  return list;
}
