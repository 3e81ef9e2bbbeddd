import {
  servicePrincipal,
  type FaultWire,
  type JobPayload,
  type recogniseDocument,
} from "@carrel/contracts";
import type { JobContext } from "@carrel/messaging";
import type { Logger } from "@carrel/observability";
import { LOGGER } from "@carrel/runtime";
import { BlobStoreUnreachableError } from "@carrel/storage";
import { Inject, Injectable } from "@nestjs/common";
import { DocumentProgress } from "../document/document-progress.ts";
import type { Document } from "../document/document.entity.ts";
import { DocumentRepository } from "../document/document.repository.ts";
import { WorkspaceDocumentRepository } from "../document/workspace-document.repository.ts";
import { UnreadableError } from "../parsing/parsed-document.ts";
import type { NamedText } from "../work-pool/work.ts";
import { bytesOf, TextExtractor } from "./document-parser.ts";
import { ParseOutcome } from "./parse-outcome.ts";
import { UnreadPictures, unreadNotes } from "./unread-pictures.ts";

const scope = { principal: servicePrincipal, workspace: null };

/**
 * Reads the pictures of documents whose own text is already stored and found. Whatever fails, that
 * text stays.
 */
@Injectable()
export class PictureReader {
  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly unread: UnreadPictures,
    private readonly extractor: TextExtractor,
    private readonly outcome: ParseOutcome,
    private readonly documents: DocumentRepository,
    private readonly workspaceDocuments: WorkspaceDocumentRepository,
    private readonly progress: DocumentProgress,
  ) {}

  /** The document if pictures of it are due. */
  find({ documentId, version }: JobPayload<typeof recogniseDocument>): Promise<Document | null> {
    return this.unread.find(scope, documentId, version);
  }

  /** `note` is told how many bytes are held. */
  async read(
    document: Document,
    context: JobContext,
    note: (bytes: number) => void,
  ): Promise<void> {
    const texts = await this.recognise(document, context, note);
    if (texts) await this.replace(document, texts);
  }

  /** Leaves unread the pictures of a document whose job failed for good. */
  async giveUp(payload: JobPayload<typeof recogniseDocument>): Promise<void> {
    const document = await this.find(payload);
    if (document) await this.leaveUnread(document);
  }

  /** Null if the text stays as it is. */
  private async recognise(
    document: Document,
    context: JobContext,
    note: (bytes: number) => void,
  ): Promise<NamedText[] | null> {
    try {
      const asked = { ...document, recognitionPages: document.picturesDue };
      const result = await this.extractor.extract(asked, note, context.signal);
      if (result && "texts" in result) {
        note(bytesOf(result.texts));
        return result.texts;
      }
    } catch (fault) {
      if (fault instanceof BlobStoreUnreachableError) {
        await this.unread.postpone(scope, document);
        return null;
      }
      context.signal.throwIfAborted();
      if (!(fault instanceof UnreadableError) && !context.lastAttempt) throw fault;
      this.logger.warn(
        { err: fault, document: document.id },
        "couldn't read a document's pictures",
      );
    }
    await this.leaveUnread(document);
    return null;
  }

  private leaveUnread(document: Document): Promise<void> {
    return this.keepText(document, unreadNotes(document.notes ?? []));
  }

  private async keepText(document: Document, notes: readonly FaultWire[]): Promise<void> {
    if (await this.unread.keepText(scope, document, notes)) await this.report(document.id);
  }

  private async replace(old: Document, texts: NamedText[]): Promise<void> {
    const { text } = texts[0]!;
    // The pictures showed no text after all, so nothing has to be indexed again.
    if (await this.unread.isStored(scope, old, text)) return this.keepText(old, text.notes);
    const begun = await this.unread.beginVersion(scope, old);
    if (!begun) return;
    try {
      await this.outcome.save({ ...begun, texts, names: [], first: true, isEmbeddedHere: false });
    } catch (fault) {
      // The reconciler takes over without waiting for the lease.
      await this.unread.endLease(scope, begun.document);
      throw fault;
    }
    await this.report(old.id);
  }

  private async report(documentId: string): Promise<void> {
    const document = await this.documents.find(scope, documentId);
    if (!document) return;
    const rows = await this.workspaceDocuments.listOfDocument(scope, documentId);
    if (rows.length === 0) this.progress.announce(document, null);
    for (const w of rows) this.progress.announce(document, w);
  }
}
