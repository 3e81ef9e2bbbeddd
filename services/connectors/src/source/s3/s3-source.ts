import { CarrelError } from "@carrel/contracts";
import { z } from "zod";
import type { Fetched, ListedItem, ListedPage, Source } from "../../connector/connector.ts";
import { FileRules } from "../../connector/file-rules.ts";
import { childrenOf, childText, type XmlElement } from "../../connector/read-xml.ts";
import { isTooLarge } from "../../connector/source-fault.ts";
import { toFilename } from "../../repository/file-content.ts";
import { ArchivedError, type S3Client } from "./s3-client.ts";
import type { S3Settings } from "./s3-form.ts";

export const s3Item = z.object({
  key: z.string(),
  version: z.string().optional(),
  /** ISO 8601; empty if unknown. */
  modified: z.string(),
  /** The class of storage from which it must be restored before it is read. */
  archive: z.string().optional(),
});
export type S3Item = z.output<typeof s3Item>;
type Item = ListedItem<S3Item>;

const maxDocuments = 50_000;
const maxItems = 200_000;
/** Of 1,000 objects each; a server that never ends its list is left there. */
const maxPages = 1_000;
/** Classes of storage that answer only after hours. */
const archives = new Set(["GLACIER", "DEEP_ARCHIVE"]);

const listCursor = z.object({ token: z.string(), pages: z.number().int() });

/** The objects of a bucket. */
export class S3Source implements Source<S3Item> {
  readonly limits = { parallel: 8, maxDocuments, maxItems };
  private readonly rules: FileRules;

  constructor(
    private readonly client: S3Client,
    private readonly settings: S3Settings,
  ) {
    this.rules = new FileRules(settings);
  }

  async check(): Promise<void> {
    const found = await this.ask({ "max-keys": "1" });
    if (childrenOf(found, "Contents").length === 0) throw new CarrelError("source.nothing-found");
  }

  async list(cursor: string | null): Promise<ListedPage<S3Item>> {
    const at = cursor === null ? null : listCursor.parse(JSON.parse(cursor));
    const found = await this.ask({
      "max-keys": "1000",
      ...(at !== null && { "continuation-token": at.token }),
    });
    const items = childrenOf(found, "Contents").flatMap((each) => this.toListed(each, found) ?? []);
    if (childText(found, "IsTruncated") !== "true") return { items, next: null };
    const token = childText(found, "NextContinuationToken");
    // Without it, or with the same one again, the rest can't be asked for.
    if (token === "" || token === at?.token) throw this.unexpected();
    const pages = (at?.pages ?? 0) + 1;
    return pages < maxPages
      ? { items, next: JSON.stringify({ token, pages }) }
      : { items, next: null, isPartial: true };
  }

  private async ask(query: Record<string, string>): Promise<XmlElement> {
    const { prefix } = this.settings;
    const found = await this.client.listObjects({ ...(prefix !== "" && { prefix }), ...query });
    if (found.name !== "ListBucketResult") throw this.unexpected();
    return found;
  }

  private unexpected(): CarrelError {
    return new CarrelError("egress.unexpected-response", { host: this.client.host });
  }

  /** null for folders and what the settings leave out. */
  private toListed(object: XmlElement, list: XmlElement): Item | null {
    const written = childText(object, "Key");
    const key = childText(list, "EncodingType") === "url" ? decode(written) : written;
    if (key === null || !isUsableKey(key)) {
      const address = this.client.addressOf("");
      const skip = { code: "source.name-unusable" } as const;
      const item = { key: "", modified: "" };
      return { externalId: `key:${written}`, item, title: written, address, skip };
    }
    // A key with nothing after its last slash stands for a folder.
    const path = key.replace(/\/{2,}/g, "/").replace(/^\//, "");
    if (key.endsWith("/") || path === "" || this.rules.leavesOut(path)) return null;
    const size = childText(object, "Size");
    const bytes = /^\d{1,15}$/.test(size) ? Number(size) : undefined;
    const time = Date.parse(childText(object, "LastModified"));
    const modified = Number.isNaN(time) ? "" : new Date(time).toISOString();
    const version = childText(object, "ETag") || (modified === "" ? "" : `${modified}/${size}`);
    const skip = this.rules.refuse({ path, bytes });
    // Not skipped here: a document whose object is archived later stays, as its content does.
    const archive = readArchive(object);
    return {
      externalId: `key:${key}`,
      item: {
        key,
        modified,
        ...(version !== "" && { version }),
        ...(archive !== null && { archive }),
      },
      title: key,
      address: this.client.addressOf(key),
      ...(version !== "" && { version }),
      ...(bytes !== undefined && { bytes }),
      ...(skip !== null && { skip }),
    };
  }

  async fetch({ key, version, modified, archive }: S3Item): Promise<Fetched<S3Item>> {
    if (archive !== undefined) return skipArchived(archive);
    try {
      const { body, headers } = await this.client.open(key, this.rules.maxBytes);
      const address = this.client.addressOf(key);
      const mime = headers.get("content-type")?.split(";")[0]?.trim().toLowerCase() ?? "";
      return {
        kind: "document",
        body,
        filename: toFilename(key),
        // What most programs upload says nothing.
        mime: /^(binary|application)\/(x-)?octet-stream$/.test(mime) ? null : mime || null,
        source: { kind: "connector", connector: "s3", reference: address },
        metadata: {
          title: key.slice(key.lastIndexOf("/") + 1),
          url: address,
          docAuthor: "no author found",
          description: key,
          docSource: `${this.settings.bucket} – ${this.client.host}`,
          ...(modified !== "" && { published: modified }),
        },
        ...(version !== undefined && { version }),
      };
    } catch (error) {
      if (isTooLarge(error)) return { kind: "skipped", fault: this.rules.tooLarge };
      if (error instanceof ArchivedError) return skipArchived(error.storage);
      throw error;
    }
  }

  async current({ key }: S3Item): Promise<Item | null> {
    const found = await this.client.listObjects({ prefix: key, "max-keys": "1" });
    const listed = childrenOf(found, "Contents").flatMap(
      (each) => this.toListed(each, found) ?? [],
    );
    return listed.find(({ item }) => item.key === key) ?? null;
  }
}

const skipArchived = (storage: string): Fetched<S3Item> => ({
  kind: "skipped",
  fault: { code: "source.archived", params: { storage } },
});

function readArchive(object: XmlElement): string | null {
  const storage = childText(object, "StorageClass");
  const isRestored = childrenOf(object, "RestoreStatus").some(
    (status) => childText(status, "RestoreExpiryDate") !== "",
  );
  return archives.has(storage) && !isRestored ? storage : null;
}

/** Spaces may be written as plus signs; null if it isn't encoded properly. */
function decode(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return null;
  }
}

/** Dots would be resolved on the way, so that another object is asked for. */
const isUsableKey = (key: string): boolean =>
  key !== "" &&
  key.length <= 4_096 &&
  !key.includes("\0") &&
  key.split("/").every((part) => part !== "." && part !== "..");
