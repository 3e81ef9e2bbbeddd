import {
  CarrelError,
  documentChecked,
  registerDocument,
  reviseDocument,
  writeChunkSource,
  type In,
  servicePrincipal,
  setDocumentAccess,
} from "@carrel/contracts";
import { RequestClient } from "@carrel/messaging";
import { CONFIG } from "@carrel/runtime";
import { BLOB_STORE, putContent, TooLargeError, type BlobStore } from "@carrel/storage";
import { Inject, Injectable } from "@nestjs/common";
import { AccessRepository } from "../connection/access.repository.ts";
import type { Connection } from "../connection/connection.entity.ts";
import { unknownAudience, type Allowed } from "../connection/item-access.ts";
import { ItemRepository, type ItemOutcome } from "../connection/item.repository.ts";
import type { SourceItem } from "../connection/source-item.entity.ts";
import { StaleRepository } from "../connection/stale.repository.ts";
import type { Fetched, FetchedDocument } from "../connector/connector.ts";
import type { ConnectorsConfig } from "../connectors.config.ts";
import { audienceOf, PeopleMatcher } from "./people-matcher.ts";

/**
 * Turns fetched items into documents: stores the bytes as the original and registers it, or gives
 * the item's document this content; ingest extracts the text in a job.
 */
@Injectable()
export class ItemImporter {
  constructor(
    @Inject(CONFIG) private readonly config: ConnectorsConfig,
    @Inject(BLOB_STORE) private readonly blobs: BlobStore,
    private readonly client: RequestClient,
    private readonly items: ItemRepository,
    private readonly access: AccessRepository,
    private readonly stale: StaleRepository,
    private readonly people: PeopleMatcher,
  ) {}

  /** Importing the same item in the same run again returns the same document. */
  async import(
    fetched: Fetched,
    item: SourceItem,
    connection: Connection,
    folder?: string,
  ): Promise<ItemOutcome> {
    if (fetched.kind === "skipped") return { state: "skipped", fault: fetched.fault };
    if (fetched.kind === "unchanged") return this.leave(item, connection);
    try {
      const isSameText =
        fetched.fingerprint !== undefined && item.fingerprint === fetched.fingerprint;
      if (item.documentId !== null && item.sha256 !== null && isSameText)
        return {
          ...(await this.leave(item, connection, fetched.version)),
          allowed: (await this.allow(fetched, item, connection)).allowed,
        };
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

  /** The item was removed meanwhile, its run has ended, or it has other settings. */
  async discard(outcome: ItemOutcome, item: SourceItem): Promise<void> {
    if (outcome.state === "fetched" && outcome.documentId !== item.documentId)
      await this.stale.addUnlessUsed(item.connectionId, outcome.documentId);
    if ("allowed" in outcome && outcome.allowed?.telling) await this.access.doubt(item);
  }

  /** The item's document has what its source has. */
  private async leave(
    { documentId }: SourceItem,
    { scope }: Connection,
    version?: string,
  ): Promise<Extract<ItemOutcome, { state: "unchanged" }>> {
    const checkedAt = new Date().toISOString();
    if (documentId !== null)
      await this.client.request(documentChecked, { documentId, checkedAt }, { scope });
    return { state: "unchanged", ...(version && { version }) };
  }

  private async register(
    fetched: FetchedDocument,
    item: SourceItem,
    connection: Connection,
    folder?: string,
  ): Promise<ItemOutcome> {
    const { id, scope, embed, metadata } = connection;
    const { key, sha256, bytes } = await putContent(
      this.blobs,
      fetched.body,
      this.config.CARREL_MAX_UPLOAD,
    ).catch((fault: unknown) => {
      throw fault instanceof TooLargeError ? new CarrelError("link.too-large") : fault;
    });
    const version = fetched.version ?? item.listedVersion;
    const { readers, allowed } = await this.allow(fetched, item, connection);
    if (bytes === 0) return { state: "skipped", fault: { code: "source.item-empty" } };
    const original = {
      blobKey: key,
      sha256,
      bytes,
      filename: fetched.filename,
      mime: fetched.mime,
      metadata: {
        ...fetched.metadata,
        chunkSource: writeChunkSource(fetched.source),
        ...metadata,
      },
    };
    const call = { scope, idempotencyKey: `connection/${id}/${item.runId}/${item.key}` };
    const known = item.documentId !== null && (await this.revise(item.documentId, original, call));
    if (known === "unchanged" && item.sha256 === sha256)
      return { state: "unchanged", ...(version !== null && { version }), allowed };
    const registered = known
      ? { documentId: item.documentId!, title: original.metadata.title ?? fetched.filename, sha256 }
      : await this.client.request(
          registerDocument,
          {
            ...original,
            embed,
            ...(readers !== null && { access: { readers } }),
            ...(folder !== undefined && { folder: fetched.folder ?? folder }),
          },
          call,
        );
    const { documentId, title } = registered;
    // The process that registered it was lost, and the source may have changed since.
    const isRepeated = item.documentId !== null || item.audience?.startsWith(unknownAudience);
    if (!known && isRepeated) await this.tell(documentId, readers);
    if ((registered.sha256 ?? sha256) !== sha256) await this.revise(documentId, original, call);
    return { state: "fetched", documentId, title, version, sha256, bytes, allowed };
  }

  /**
   * Who may see the item. The document that it is already is restricted or opened before its content
   * changes.
   */
  private async allow(
    fetched: FetchedDocument,
    item: SourceItem,
    connection: Connection,
  ): Promise<{ readers: number[] | null; allowed: Allowed }> {
    const access = fetched.access ?? item.access;
    const readers = await this.people.listReaders(access, connection);
    const audience = audienceOf(readers);
    const { documentId } = item;
    const isNew = documentId === null && connection.mirrorPermissions;
    const isDue = documentId !== null && audience !== item.audience;
    // A new one's, too: whoever repeats a lost registration sees that there may have been another.
    const telling = isDue || isNew ? await this.access.beginTellingOne(item) : null;
    if (isDue) await this.tell(documentId, readers);
    return { readers, allowed: { access, audience, known: item.access, telling } };
  }

  private async tell(documentId: string, readers: number[] | null): Promise<void> {
    await this.client.request(
      setDocumentAccess,
      { documentIds: [documentId], readers },
      { scope: { principal: servicePrincipal, workspace: null } },
    );
  }

  /** Null if somebody removed the document, which is then registered anew. */
  private async revise(
    documentId: string,
    original: Omit<In<typeof reviseDocument>, "documentId" | "checkedAt">,
    call: { scope: Connection["scope"]; idempotencyKey: string },
  ): Promise<"unchanged" | "revising" | null> {
    try {
      const { state } = await this.client.request(
        reviseDocument,
        { ...original, documentId, checkedAt: new Date().toISOString() },
        // Another content than that of a lost attempt is another request.
        { ...call, idempotencyKey: `${call.idempotencyKey}/${original.sha256}` },
      );
      return state;
    } catch (fault) {
      if (fault instanceof CarrelError && fault.code === "document.not-found") return null;
      throw fault;
    }
  }
}
