import { Readable } from "node:stream";
import { clipText } from "@carrel/contracts";
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
import { isTooLarge } from "../../connector/source-fault.ts";
import type { PaperlessSettings } from "./paperless-form.ts";
import { PaperlessNames } from "./paperless-names.ts";

export const paperlessItem = z.object({ id: z.number().int() });
export type PaperlessItem = z.output<typeof paperlessItem>;

const pageSize = 200;
const maxDocuments = 50_000;

const foundWire = z.object({
  id: z.number().int(),
  title: z.string().nullish(),
  modified: z.string().nullish(),
});
const listWire = z.object({
  count: z.number().default(0),
  next: z.string().nullish(),
  results: z.array(foundWire),
});
const documentWire = foundWire.extend({
  content: z.string().nullish(),
  created: z.string().nullish(),
  correspondent: z.number().nullish(),
  document_type: z.number().nullish(),
  tags: z.array(z.number()).nullish(),
  archive_serial_number: z.number().nullish(),
  original_file_name: z.string().nullish(),
  archived_file_name: z.string().nullish(),
  notes: z
    .array(z.object({ note: z.string().nullish() }))
    .nullish()
    .catch([]),
  custom_fields: z
    .array(z.object({ field: z.number(), value: z.unknown() }))
    .nullish()
    .catch([]),
});
type Document = z.output<typeof documentWire>;

/**
 * The next page, the last document when the listing began, how many there were up to that one, and
 * how many of these were listed.
 */
const listCursor = z.object({
  page: z.number().int(),
  last: z.number().int(),
  count: z.number().int(),
  listed: z.number().int(),
});
type ListCursor = z.output<typeof listCursor>;

/**
 * The documents that a token may see, by Paperless-ngx's REST API. They are always listed whole,
 * which takes one request for 200: only what isn't listed any more tells what was deleted.
 */
export class PaperlessSource implements Source<PaperlessItem> {
  readonly limits = { parallel: 4, maxDocuments, maxItems: maxDocuments * 2 };
  private readonly names: PaperlessNames;

  constructor(
    private readonly api: JsonApi,
    private readonly settings: PaperlessSettings,
  ) {
    this.names = new PaperlessNames(api);
  }

  async check(): Promise<void> {
    await this.api.get(listPath(1, 1), listWire);
  }

  /**
   * Pages are asked for by number, because links in answers name another address behind some
   * proxies.
   */
  async list(cursor: string | null): Promise<ListedPage<PaperlessItem>> {
    const at = cursor === null ? await this.begin() : listCursor.parse(JSON.parse(cursor));
    const { next, results } = await this.api.get(listPath(at.page, pageSize), listWire);
    const listed = at.listed + results.filter(({ id }) => id <= at.last).length;
    const isMore = Boolean(next) && results.length > 0 && at.page * pageSize < maxDocuments * 2;
    // What follows a document that was deleted meanwhile may have moved to a page already read.
    const isWhole = !next && listed === at.count;
    return {
      items: results.map((found) => this.toListed(found)),
      next: isMore ? JSON.stringify({ ...at, page: at.page + 1, listed }) : null,
      ...(!isMore && !isWhole && { isPartial: true as const }),
    };
  }

  /** New documents get higher ids, so that they don't make up for deleted ones. */
  private async begin(): Promise<ListCursor> {
    const { count, results } = await this.api.get(listPath(1, 1, "-id"), listWire);
    return { page: 1, last: results[0]?.id ?? 0, count, listed: 0 };
  }

  private toListed({ id, title, modified }: z.output<typeof foundWire>): ListedItem<PaperlessItem> {
    return {
      externalId: String(id),
      item: { id },
      title: title || `Document ${id}`,
      address: this.addressOf(id),
      ...(modified && { version: modified }),
    };
  }

  async fetch({ id }: PaperlessItem, version: string | null): Promise<Fetched<PaperlessItem>> {
    const document = await this.api.get(`/api/documents/${id}/`, documentWire);
    const { title, modified, created } = document;
    if (modified && modified === version) return { kind: "unchanged" };
    const facts = await this.describe(document);
    const named = title || `Document ${id}`;
    const address = this.addressOf(id);
    const { origin } = new URL(this.api.base);
    const common: Omit<FetchedDocument, "body" | "filename" | "mime"> = {
      kind: "document",
      source: { kind: "connector", connector: "paperless-ngx", reference: address },
      metadata: {
        title: named,
        url: address,
        docAuthor: clipText(facts.get("Correspondent") ?? "", 200) || origin,
        description: clipText([named, ...writeFacts(facts)].join("\n"), 1_000),
        docSource: `${origin} Paperless-ngx`,
        ...(created && { published: clipText(created, 100) }),
      },
      ...(modified && { version: modified }),
    };
    const text = document.content?.trim() ?? "";
    if (this.settings.content !== "text" || text === "") return this.fetchFile(document, common);
    const notes = (document.notes ?? []).flatMap(({ note }) => (note?.trim() ? [note.trim()] : []));
    const parts = [
      `# ${named}`,
      writeFacts(facts)
        .map((fact) => `- ${fact}`)
        .join("\n"),
      text,
      ...(notes.length === 0 ? [] : ["## Notes", ...notes]),
    ].filter((part) => part !== "");
    return {
      ...common,
      body: Readable.from([Buffer.from(`${parts.join("\n\n")}\n`)]),
      filename: toFilename(named, ".md"),
      mime: "text/markdown",
    };
  }

  private async fetchFile(
    { id, original_file_name: original, archived_file_name: archived }: Document,
    common: Omit<FetchedDocument, "body" | "filename" | "mime">,
  ): Promise<Fetched<PaperlessItem>> {
    const isOriginal = this.settings.content === "original" || !archived;
    const filename = (isOriginal ? original : archived) ?? "";
    if (!isReadable(filename, undefined))
      return { kind: "skipped", fault: { code: "source.type-unwanted" } };
    const path = `/api/documents/${id}/download/${isOriginal ? "?original=true" : ""}`;
    const megabytes = this.settings.maxFileMegabytes;
    try {
      const { body, headers } = await this.api.open(path, {
        maxBytes: megabytes * 1_000_000,
        timeoutMs: 120_000,
      });
      return {
        ...common,
        body,
        filename: toFilename(filename),
        mime: headers.get("content-type")?.split(";")[0]?.trim() ?? null,
      };
    } catch (error) {
      if (!isTooLarge(error)) throw error;
      return { kind: "skipped", fault: { code: "source.file-too-large", params: { megabytes } } };
    }
  }

  private async describe(document: Document): Promise<Map<string, string>> {
    const { names } = this;
    const tags = await Promise.all((document.tags ?? []).map((id) => names.nameOf("tags", id)));
    const own = await Promise.all(
      (document.custom_fields ?? []).map(({ field, value }) => names.describe(field, value)),
    );
    const all = [
      ["Correspondent", await names.nameOf("correspondents", document.correspondent)],
      ["Type", await names.nameOf("document_types", document.document_type)],
      ["Tags", tags.filter((tag) => tag !== "").join(", ")],
      ["Created", document.created ?? ""],
      ["Serial number", String(document.archive_serial_number ?? "")],
      ...own.filter((fact) => fact !== null),
    ] as const;
    return new Map(
      all
        .map(([name, text]) => [name, text.replace(/\s+/g, " ").trim()] as const)
        .filter(([, text]) => text !== ""),
    );
  }

  private addressOf(id: number): string {
    return `${this.api.base}/documents/${id}/details`;
  }
}

const listPath = (page: number, size: number, ordering: "id" | "-id" = "id"): string =>
  `/api/documents/?page=${page}&page_size=${size}&ordering=${ordering}&truncate_content=true&fields=id,title,modified`;

const writeFacts = (facts: ReadonlyMap<string, string>): string[] =>
  [...facts].map(([name, text]) => `${name}: ${text}`);
