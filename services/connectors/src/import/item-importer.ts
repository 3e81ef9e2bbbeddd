import { Readable } from "node:stream";
import { CarrelError, registerDocument, writeChunkSource, type Out } from "@carrel/contracts";
import { createContentClient, type ContentClient } from "@carrel/egress";
import { RequestClient } from "@carrel/messaging";
import { CONFIG } from "@carrel/runtime";
import { BLOB_STORE, putContent, TooLargeError, type BlobStore } from "@carrel/storage";
import { Inject, Injectable } from "@nestjs/common";
import type { FetchContext, FetchedItem } from "../connector/connector.ts";
import type { ConnectorsConfig } from "../connectors.config.ts";
import type { Import } from "./import.entity.ts";

/**
 * Turns fetched items into documents: stores the bytes as the original and registers it; ingest
 * extracts the text in a job.
 */
@Injectable()
export class ItemImporter {
  private readonly content: ContentClient;

  constructor(
    @Inject(CONFIG) private readonly config: ConnectorsConfig,
    @Inject(BLOB_STORE) private readonly blobs: BlobStore,
    private readonly client: RequestClient,
  ) {
    this.content = createContentClient({
      allow: config.CARREL_LINK_ALLOW,
      maxBytes: config.CARREL_LINK_MAX_BYTES,
    });
  }

  fetchContext(signal: AbortSignal): FetchContext {
    return { content: this.content, signal };
  }

  /** Registering the same item of an import again returns the same document. */
  async register(
    item: FetchedItem,
    { id, scope, embed, metadata }: Import,
    ordinal: number,
  ): Promise<Out<typeof registerDocument>> {
    const stored = await putContent(
      this.blobs,
      Readable.from([item.body]),
      this.config.CARREL_MAX_UPLOAD,
    ).catch((fault: unknown) => {
      throw fault instanceof TooLargeError ? new CarrelError("link.too-large") : fault;
    });
    return this.client.request(
      registerDocument,
      {
        blobKey: stored.key,
        sha256: stored.sha256,
        bytes: stored.bytes,
        filename: item.filename,
        mime: item.mime,
        embed,
        metadata: { ...item.metadata, chunkSource: writeChunkSource(item.source), ...metadata },
      },
      { scope, idempotencyKey: `import/${id}/${ordinal}` },
    );
  }
}
