import { Readable } from "node:stream";
import { CarrelError, type KnownFault } from "@carrel/contracts";
import { parseMarkup, writeMarkdown } from "@carrel/markup";
import { z } from "zod";
import type {
  Fetched,
  FetchedDocument,
  ListedItem,
  ListedPage,
  Source,
} from "../../connector/connector.ts";
import { isReadable, toFilename } from "../../connector/file-type.ts";
import type { JsonApi } from "../../connector/json-api.ts";
import type { DrupalwikiSettings } from "./drupalwiki-form.ts";

/** A page, or an attachment of one. */
export const drupalwikiItem = z.object({
  pageId: z.string(),
  attachmentId: z.string().optional(),
  title: z.string(),
  version: z.string(),
});
export type DrupalwikiItem = z.output<typeof drupalwikiItem>;
type Item = ListedItem<DrupalwikiItem>;

const pageSize = 200;
/** Pages whose attachments are listed at once. */
const pagesAtOnce = 20;
const maxSpaces = 2_000;
const maxDocuments = 50_000;

const spaceList = z.object({
  content: z.array(z.object({ id: z.coerce.string() })),
  last: z.boolean().optional(),
});
const pageWire = z.object({
  id: z.coerce.string(),
  title: z.string().nullish(),
  homeSpace: z.coerce.string().nullish(),
  /** Seconds since 1970. */
  lastModified: z.coerce.string().nullish(),
  body: z.string().nullish(),
});
const pageList = z.object({ content: z.array(pageWire), last: z.boolean().optional() });
const attachmentWire = z.object({
  id: z.coerce.string(),
  name: z.string().nullish(),
  fileName: z.string().nullish(),
  fileSize: z.number().nullish(),
  mimeType: z.string().nullish(),
  lastModified: z.coerce.string().nullish(),
});
const attachmentList = z.union([
  z.array(attachmentWire),
  z.object({ content: z.array(attachmentWire) }).transform(({ content }) => content),
]);

/** Spaces and the page of the first one's list, and pages whose attachments are due before it. */
const listCursor = z.object({
  spaces: z.array(z.string()),
  page: z.number().int(),
  pages: z.array(z.object({ id: z.string(), title: z.string() })),
});
type ListCursor = z.output<typeof listCursor>;

/** The pages of spaces and their attachments, by Drupal Wiki's REST API. */
export class DrupalwikiSource implements Source<DrupalwikiItem> {
  readonly limits = { parallel: 4, maxDocuments, maxItems: maxDocuments * 2 };

  constructor(
    private readonly api: JsonApi,
    private readonly settings: DrupalwikiSettings,
  ) {}

  async check(): Promise<void> {
    const [space] = this.settings.spaces;
    await (space === undefined
      ? this.api.get("/api/rest/scope/api/space?size=1&page=0", spaceList)
      : this.api.get(listPath(space, 0, 1), pageList));
  }

  async listSpaces(): Promise<string[]> {
    const ids: string[] = [];
    for (let page = 0; ids.length < maxSpaces; page += 1) {
      const path = `/api/rest/scope/api/space?size=${pageSize}&page=${page}`;
      const found = await this.api.get(path, spaceList);
      ids.push(...found.content.map(({ id }) => id));
      if (isLast(found)) break;
    }
    return ids.slice(0, maxSpaces);
  }

  async list(cursor: string | null): Promise<ListedPage<DrupalwikiItem>> {
    const at: ListCursor =
      cursor === null
        ? { spaces: await this.chosenSpaces(), page: 0, pages: [] }
        : listCursor.parse(JSON.parse(cursor));
    if (at.pages.length > 0) {
      const due = at.pages.slice(0, pagesAtOnce);
      const found = await Promise.all(due.map((page) => this.listAttachments(page)));
      const items = found.flatMap((listed) => listed ?? []);
      const page = toPage(items, { ...at, pages: at.pages.slice(pagesAtOnce) });
      return found.includes(null) ? { ...page, asksUnlisted: true } : page;
    }
    const [space, ...others] = at.spaces;
    if (space === undefined) return { items: [], next: null };
    const found = await this.api.get(listPath(space, at.page, pageSize), pageList);
    // A server that never ends its list is left.
    const isOver = isLast(found) || at.page * pageSize > maxDocuments * 2;
    return toPage(
      found.content.map((page) => this.toListed(page)),
      {
        spaces: isOver ? others : at.spaces,
        page: isOver ? 0 : at.page + 1,
        pages: this.settings.attachments
          ? found.content.map(({ id, title }) => ({ id, title: title ?? id }))
          : [],
      },
    );
  }

  private async chosenSpaces(): Promise<string[]> {
    return this.settings.spaces.length > 0 ? this.settings.spaces : this.listSpaces();
  }

  private toListed({ id, title, lastModified }: z.output<typeof pageWire>): Item {
    const item = { pageId: id, title: title || id, version: lastModified ?? "" };
    return {
      externalId: id,
      item,
      title: item.title,
      address: this.addressOf(id),
      ...(item.version !== "" && { version: item.version }),
    };
  }

  /** null if the token may not see which there are. */
  private async listAttachments(page: { id: string; title: string }): Promise<Item[] | null> {
    const path = `/api/rest/scope/api/attachment?pageId=${encodeURIComponent(page.id)}`;
    const found = await this.api.get(path, attachmentList).catch((error: unknown) => {
      if (!(error instanceof CarrelError)) throw error;
      if (error.code === "source.denied") return null;
      // The page may have been deleted meanwhile.
      if (error.code === "source.missing") return [];
      throw error;
    });
    if (found === null) return null;
    return found.map((wire) => {
      const title = wire.fileName || wire.name || wire.id;
      const bytes = wire.fileSize ?? undefined;
      const skip = this.refuse(title, wire.mimeType ?? undefined, bytes);
      // Without either, it is fetched each time.
      const version =
        wire.lastModified || bytes !== undefined ? `${wire.lastModified ?? ""}/${bytes ?? ""}` : "";
      return {
        externalId: `attachment/${wire.id}`,
        item: { pageId: page.id, attachmentId: wire.id, title, version },
        title,
        address: this.addressOf(page.id),
        ...(version !== "" && { version }),
        ...(bytes !== undefined && { bytes }),
        ...(skip !== null && { skip }),
      };
    });
  }

  private refuse(title: string, mime: string | undefined, bytes = 0): KnownFault | null {
    if (!isReadable(title, mime)) return { code: "source.type-unwanted" };
    const megabytes = this.settings.maxFileMegabytes;
    return bytes > megabytes * 1_000_000
      ? { code: "egress.page-too-large", params: { megabytes } }
      : null;
  }

  async fetch(item: DrupalwikiItem, version: string | null): Promise<Fetched<DrupalwikiItem>> {
    if (item.attachmentId !== undefined) return this.fetchAttachment(item, item.attachmentId);
    const path = `/api/rest/scope/api/page/${encodeURIComponent(item.pageId)}`;
    const page = await this.api.get(path, pageWire);
    const { spaces } = this.settings;
    if (spaces.length > 0 && page.homeSpace && !spaces.includes(page.homeSpace))
      throw new CarrelError("source.missing", { host: this.api.host });
    const current = page.lastModified ?? "";
    if (version !== null && version === current) return { kind: "unchanged" };
    const address = this.addressOf(item.pageId);
    const text = writeMarkdown(parseMarkup(page.body ?? ""), address);
    if (text === "") return { kind: "skipped", fault: { code: "source.item-empty" } };
    const title = page.title || item.title;
    return {
      ...this.toDocument(title, address, readDate(current)),
      body: Readable.from([Buffer.from(`# ${title}\n\n${text}\n`)]),
      filename: toFilename(title, ".md"),
      mime: "text/markdown",
      ...(current !== "" && { version: current }),
    };
  }

  private async fetchAttachment(
    item: DrupalwikiItem,
    attachmentId: string,
  ): Promise<Fetched<DrupalwikiItem>> {
    const path = `/api/rest/scope/api/attachment/${encodeURIComponent(attachmentId)}/download`;
    const { body, headers } = await this.api.open(path, {
      maxBytes: this.settings.maxFileMegabytes * 1_000_000,
      timeoutMs: 120_000,
    });
    return {
      ...this.toDocument(item.title, this.addressOf(item.pageId), ""),
      body,
      filename: toFilename(item.title),
      mime: headers.get("content-type")?.split(";")[0]?.trim() ?? null,
      ...(item.version !== "" && { version: item.version }),
    };
  }

  private toDocument(
    title: string,
    address: string,
    published: string,
  ): Omit<FetchedDocument, "body" | "filename" | "mime"> {
    const { origin } = new URL(this.api.base);
    return {
      kind: "document",
      source: { kind: "connector", connector: "drupalwiki", reference: address },
      metadata: {
        title,
        url: address,
        docAuthor: origin,
        description: title,
        docSource: `${origin} Drupal Wiki`,
        ...(published !== "" && { published }),
      },
    };
  }

  private addressOf(pageId: string): string {
    return `${this.api.base}/node/${encodeURIComponent(pageId)}`;
  }
}

/** Seconds since 1970. */
function readDate(text: string): string {
  const date = new Date(Number(text) * 1_000);
  return text === "" || Number.isNaN(date.getTime()) ? "" : date.toISOString();
}

const listPath = (space: string, page: number, size: number): string =>
  `/api/rest/scope/api/page?space=${encodeURIComponent(space)}&size=${size}&page=${page}`;

const isLast = ({ content, last }: { content: unknown[]; last?: boolean }): boolean =>
  content.length === 0 || (last ?? content.length < pageSize);

const toPage = (items: Item[], at: ListCursor): ListedPage<DrupalwikiItem> => ({
  items,
  next: at.pages.length === 0 && at.spaces.length === 0 ? null : JSON.stringify(at),
});
