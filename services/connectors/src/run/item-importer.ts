import { CarrelError, registerDocument, writeChunkSource } from "@carrel/contracts";
import { RequestClient } from "@carrel/messaging";
import { CONFIG } from "@carrel/runtime";
import { BLOB_STORE, putContent, TooLargeError, type BlobStore } from "@carrel/storage";
import { Inject, Injectable } from "@nestjs/common";
import type { Connection } from "../connection/connection.entity.ts";
import { ItemRepository, type ItemOutcome } from "../connection/item.repository.ts";
import type { SourceItem } from "../connection/source-item.entity.ts";
import type { Fetched, FetchedDocument } from "../connector/connector.ts";
import type { ConnectorsConfig } from "../connectors.config.ts";

/**
 * Turns fetched items into documents: stores the bytes as the original and registers it; ingest
 * extracts the text in a job.
 */
@Injectable()
export class ItemImporter {
  constructor(
    @Inject(CONFIG) private readonly config: ConnectorsConfig,
    @Inject(BLOB_STORE) private readonly blobs: BlobStore,
    private readonly client: RequestClient,
    private readonly items: ItemRepository,
  ) {}

  /** Importing the same item in the same run again returns the same document. */
  async import(
    fetched: Fetched,
    item: SourceItem,
    connection: Connection,
    folder?: string,
  ): Promise<ItemOutcome> {
    if (fetched.kind !== "document")
      return fetched.kind === "skipped"
        ? { state: "skipped", fault: fetched.fault }
        : { state: "unchanged" };
    try {
      const isSameText =
        fetched.fingerprint !== undefined && item.fingerprint === fetched.fingerprint;
      if (item.documentId !== null && item.sha256 !== null && isSameText)
        return { state: "unchanged", ...(fetched.version && { version: fetched.version }) };
      const address =
        fetched.fingerprint === undefined
          ? null
          : await this.items.claimFingerprint(item, fetched.fingerprint);
      if (address !== null)
        return { state: "skipped", fault: { code: "source.same-as", params: { address } } };
      return await this.register(fetched, item, connection, folder);
    } finally {
      fetched.body.destroy();
    }
  }

  private async register(
    fetched: FetchedDocument,
    item: SourceItem,
    { id, scope, embed, metadata }: Connection,
    folder?: string,
  ): Promise<ItemOutcome> {
    const { key, sha256, bytes } = await putContent(
      this.blobs,
      fetched.body,
      this.config.CARREL_MAX_UPLOAD,
    ).catch((fault: unknown) => {
      throw fault instanceof TooLargeError ? new CarrelError("link.too-large") : fault;
    });
    const version = fetched.version ?? item.listedVersion;
    if (bytes === 0) return { state: "skipped", fault: { code: "source.item-empty" } };
    if (item.documentId !== null && item.sha256 === sha256)
      return { state: "unchanged", ...(version !== null && { version }) };
    const { documentId, title } = await this.client.request(
      registerDocument,
      {
        blobKey: key,
        sha256,
        bytes,
        filename: fetched.filename,
        mime: fetched.mime,
        embed,
        ...(folder !== undefined && { folder: fetched.folder ?? folder }),
        metadata: {
          ...fetched.metadata,
          chunkSource: writeChunkSource(fetched.source),
          ...metadata,
        },
      },
      { scope, idempotencyKey: `connection/${id}/${item.runId}/${item.key}` },
    );
    const access = fetched.access ?? null;
    return { state: "fetched", documentId, title, version, sha256, bytes, access };
  }
}
