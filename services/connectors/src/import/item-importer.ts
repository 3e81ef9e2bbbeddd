import {
  CarrelError,
  registerDocument,
  writeChunkSource,
  type In,
  type Out,
} from "@carrel/contracts";
import { createContentClient, type ContentClient } from "@carrel/egress";
import { RequestClient, type RequestContext } from "@carrel/messaging";
import { CONFIG } from "@carrel/runtime";
import { BLOB_STORE, putContent, TooLargeError, type BlobStore } from "@carrel/storage";
import { Inject, Injectable } from "@nestjs/common";
import { Readable } from "node:stream";
import type { z } from "zod";
import type { FetchedItem } from "../connector/connector.ts";
import type { ConnectorsConfig } from "../connectors.config.ts";
import { connectors } from "./connectors.ts";

type Registered = Out<typeof registerDocument>;
export interface ImportOptions {
  embed: boolean;
  /** Replaces the metadata derived from the item. */
  metadata: In<typeof registerDocument>["metadata"];
}

/**
 * Turns items of a connector into documents: stores the fetched bytes as the original and registers
 * it; ingest extracts the text in a job.
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

  /** Imports the items one after another; ends at the first that fails. */
  async import<Id extends keyof typeof connectors>(
    id: Id,
    settings: z.input<(typeof connectors)[Id]["settings"]>,
    options: ImportOptions,
    request: RequestContext,
  ): Promise<Registered[]> {
    const connector = connectors[id];
    const parsed = connector.settings.parse(settings);
    const context = { content: this.content, signal: request.signal };
    const registered: Registered[] = [];
    for await (const item of connector.listItems(parsed, context)) {
      const fetched = await connector.fetchItem(item, parsed, context);
      registered.push(await this.register(fetched, options, request));
    }
    return registered;
  }

  private async register(
    item: FetchedItem,
    { embed, metadata }: ImportOptions,
    { scope, deadline }: RequestContext,
  ): Promise<Registered> {
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
      { scope, deadline },
    );
  }
}
