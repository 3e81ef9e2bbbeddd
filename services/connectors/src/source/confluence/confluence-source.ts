import { Readable } from "node:stream";
import { CarrelError, clipText, type KnownFault } from "@carrel/contracts";
import { z } from "zod";
import type {
  AccessList,
  Fetched,
  FetchedDocument,
  ListedItem,
  ListedPage,
  Source,
} from "../../connector/connector.ts";
import { isReadable, toFilename } from "../../connector/file-type.ts";
import type { JsonApi } from "../../connector/json-api.ts";
import { Memo } from "../../connector/memo.ts";
import { ConfluenceAccess } from "./confluence-access.ts";
import type { ConfluenceApi, ConfluenceItem, ConfluencePage } from "./confluence-api.ts";
import type { ConfluenceSettings } from "./confluence-form.ts";
import { findMentions, readStorage } from "./storage-format.ts";

/** Lists that are still to be read, next one first. */
const listCursor = z.object({ left: z.array(z.string()), read: z.number().int() });
/** A server that never ends its lists is left. */
const maxLists = 5_000;
const maxLeft = 2_000;
const maxDocuments = 50_000;
/** Whom a page mentions is looked up, one request each. */
const maxMentions = 30;

/** The pages of a space, with their attachments. */
export class ConfluenceSource implements Source<ConfluenceItem> {
  readonly limits = { parallel: 4, maxDocuments, maxItems: maxDocuments * 2 };
  private readonly readers: ConfluenceAccess;
  private readonly names = new Memo<string | null>();

  constructor(
    private readonly confluence: ConfluenceApi,
    private readonly api: JsonApi,
    private readonly settings: ConfluenceSettings,
  ) {
    this.readers = new ConfluenceAccess(confluence);
  }

  check(): Promise<void> {
    return this.confluence.findSpace();
  }

  async list(cursor: string | null): Promise<ListedPage<ConfluenceItem>> {
    const { left, read } =
      cursor === null
        ? { left: await this.confluence.listed(this.settings), read: 0 }
        : listCursor.parse(JSON.parse(cursor));
    const [first, ...rest] = left;
    const { items, next, isCut } = await this.confluence.list(first!);
    const more = [...next, ...rest].slice(0, maxLeft);
    if (more.length > 0 && read >= maxLists)
      throw new CarrelError("egress.unexpected-response", { host: this.confluence.host });
    return {
      items: items.map((item) => this.toListed(item)),
      next: more.length === 0 ? null : JSON.stringify({ left: more, read: read + 1 }),
      ...(isCut && { isPartial: true }),
    };
  }

  private toListed(item: ConfluenceItem): ListedItem<ConfluenceItem> {
    const { id, kind, title, version, bytes } = item;
    const skip = kind === "attachment" ? this.refuse(item) : null;
    return {
      externalId: kind === "attachment" ? `attachment/${id}` : id,
      item,
      title,
      address: this.addressOf(item.webui),
      version,
      ...(bytes !== undefined && { bytes }),
      ...(skip !== null && { skip }),
    };
  }

  private refuse({ title, mediaType, bytes }: ConfluenceItem): KnownFault | null {
    if (!isReadable(title, mediaType)) return { code: "source.type-unwanted" };
    const megabytes = this.settings.maxFileMegabytes;
    return bytes !== undefined && bytes > megabytes * 1_000_000
      ? { code: "egress.page-too-large", params: { megabytes } }
      : null;
  }

  async fetch(item: ConfluenceItem, version: string | null): Promise<Fetched<ConfluenceItem>> {
    return item.kind === "attachment" ? this.fetchAttachment(item) : this.fetchPage(item, version);
  }

  /** Pages are always fetched as they are now, attachments from the address of a version. */
  async current(item: ConfluenceItem): Promise<ListedItem<ConfluenceItem> | null> {
    if (item.kind !== "attachment") {
      const { version: _, ...listed } = this.toListed(item);
      return listed;
    }
    const attachment = await this.confluence.readAttachment(item);
    return attachment && this.toListed(attachment);
  }

  async access(items: readonly ConfluenceItem[]): Promise<AccessList[]> {
    const lists: AccessList[] = [];
    for (const item of items) lists.push(await this.readers.of(item));
    return lists;
  }

  private async fetchPage(
    item: ConfluenceItem,
    version: string | null,
  ): Promise<Fetched<ConfluenceItem>> {
    const page = await this.confluence.readPage(item);
    if (page === null) throw this.missing();
    if (page.version === version) return { kind: "unchanged" };
    const address = this.addressOf(page.webui);
    const text = readStorage(page.body, await this.namesIn(page.body), address);
    if (text === "") return { kind: "skipped", fault: { code: "source.item-empty" } };
    return {
      ...this.toDocument(item, address, page),
      body: Readable.from([Buffer.from(`# ${page.title}\n\n${text}\n`)]),
      filename: toFilename(page.title, ".md"),
      mime: "text/markdown",
      version: page.version,
    };
  }

  private async fetchAttachment(item: ConfluenceItem): Promise<Fetched<ConfluenceItem>> {
    const { body, headers } = await this.api.open(item.download!, {
      maxBytes: this.settings.maxFileMegabytes * 1_000_000,
      timeoutMs: 120_000,
    });
    try {
      return {
        ...this.toDocument(item, this.addressOf(item.webui), null),
        body,
        filename: toFilename(item.title),
        mime: item.mediaType ?? headers.get("content-type")?.split(";")[0]?.trim() ?? null,
        version: item.version,
      };
    } catch (error) {
      body.destroy();
      throw error;
    }
  }

  private toDocument(
    item: ConfluenceItem,
    address: string,
    page: ConfluencePage | null,
  ): Omit<FetchedDocument, "body" | "filename" | "mime"> {
    const { origin } = new URL(this.confluence.base);
    const title = page?.title ?? item.title;
    const labels = page?.labels.length ? `Labels: ${page.labels.join(", ")}` : title;
    return {
      kind: "document",
      source: { kind: "connector", connector: "confluence", reference: address },
      metadata: {
        title,
        url: `${address}.page`,
        docAuthor: clipText(page?.author ?? "", 200) || origin,
        description: clipText(labels, 1_000),
        docSource: `${origin} Confluence`,
        ...(page?.published && { published: page.published.slice(0, 100) }),
      },
    };
  }

  /** The names of those whom a page mentions. */
  private async namesIn(body: string): Promise<Map<string, string>> {
    const accounts = findMentions(body).slice(0, maxMentions);
    const names = await Promise.all(
      accounts.map((account) => this.names.get(account, () => this.confluence.nameOf(account))),
    );
    return new Map(
      accounts.flatMap((account, at) => (names[at] ? [[account, names[at]] as const] : [])),
    );
  }

  /** Addresses in answers are below Confluence's own. */
  private addressOf(webui: string): string {
    const path = webui.startsWith("/") ? webui : `/${webui}`;
    return new URL(`${this.confluence.base}${path}`).href;
  }

  private missing(): CarrelError {
    return new CarrelError("source.missing", { host: this.confluence.host });
  }
}
