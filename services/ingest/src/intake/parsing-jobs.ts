import {
  parseDocument,
  parseSlowDocument,
  parseThreadFile,
  recogniseDocument,
  servicePrincipal,
  transcribeDocument,
  type FaultWire,
  type JobPayload,
} from "@carrel/contracts";
import { Process, ProcessFailed, type JobContext } from "@carrel/messaging";
import type { Logger } from "@carrel/observability";
import { LOGGER } from "@carrel/runtime";
import { BlobStoreUnreachableError } from "@carrel/storage";
import { Inject, Injectable } from "@nestjs/common";
import { ownerOf } from "../document/document-jobs.ts";
import { DocumentProgress } from "../document/document-progress.ts";
import type { Document } from "../document/document.entity.ts";
import { DocumentRepository } from "../document/document.repository.ts";
import { WorkspaceDocumentRepository } from "../document/workspace-document.repository.ts";
import { PublishedEmbedder } from "../index/document-embedder.ts";
import { UnreadableError } from "../parsing/parsed-document.ts";
import { maxTranscriptions } from "../transcription/transcriber.ts";
import type { NamedText } from "../work-pool/work.ts";
import { DocumentParser, TextExtractor, bytesOf } from "./document-parser.ts";
import { IntakeGate, maxParseJobs } from "./intake-gate.ts";
import { ParseOutcome } from "./parse-outcome.ts";
import { ParsingRepository, type Claim } from "./parsing.repository.ts";
import { UnreadPictures, unreadNotes } from "./unread-pictures.ts";

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

const scope = { principal: servicePrincipal, workspace: null };

/** The queues of `parseJob`: slow work has separate ones so that it doesn't delay other files. */
@Injectable()
export class ParsingJobs {
  constructor(
    private readonly parsing: ParsingRepository,
    private readonly gate: IntakeGate,
    private readonly parser: DocumentParser,
    private readonly pictures: PictureReader,
    private readonly embedder: PublishedEmbedder,
    private readonly documents: DocumentRepository,
    private readonly workspaceDocuments: WorkspaceDocumentRepository,
  ) {}

  @Process(parseDocument, { concurrency: maxParseJobs })
  async parse(payload: JobPayload<typeof parseDocument>, context: JobContext): Promise<void> {
    const claim = await this.claim(payload, context);
    if (claim) await this.gate.parseInTurn(claim, null, turnOf(payload, claim), context);
  }

  /** More jobs than threads would only wait for those. */
  @Process(parseSlowDocument, { concurrency: 4 })
  parseSlow(payload: JobPayload<typeof parseSlowDocument>, context: JobContext): Promise<void> {
    return this.parseOutOfTurn(payload, context);
  }

  /** Also recognises the pictures of documents whose own text is already stored. */
  @Process(recogniseDocument, { concurrency: 2 })
  async recognise(
    payload: JobPayload<typeof recogniseDocument>,
    context: JobContext,
  ): Promise<void> {
    const document = await this.pictures.find(payload);
    if (!document) return this.parseOutOfTurn(payload, context);
    await this.gate.hold(document.bytes, (note) => this.pictures.read(document, context, note));
  }

  @Process(transcribeDocument, { concurrency: maxTranscriptions })
  transcribe(payload: JobPayload<typeof transcribeDocument>, context: JobContext): Promise<void> {
    return this.parseOutOfTurn(payload, context);
  }

  /**
   * Chat files are parsed like any other document, with the same threads and limits, but a bulk
   * import into the library doesn't delay chats. Far more jobs than threads, so that long files are
   * seen to hold up others, and end.
   */
  @Process(parseThreadFile, { concurrency: 16 })
  parseChatFile(payload: JobPayload<typeof parseThreadFile>, context: JobContext): Promise<void> {
    return this.parseOutOfTurn(payload, context);
  }

  /**
   * Marks documents whose jobs failed for good, whatever failed them (a database that refuses the
   * text, an error nobody foresaw), which answers whoever waits for them.
   */
  @ProcessFailed(
    parseDocument,
    recogniseDocument,
    transcribeDocument,
    parseSlowDocument,
    parseThreadFile,
  )
  async end(payload: JobPayload<typeof parseDocument>): Promise<void> {
    await this.pictures.giveUp(payload);
    const { documentId, version } = payload;
    const document = await this.documents.find(scope, documentId);
    if (document?.version !== version || !["queued", "parsing"].includes(document.state)) return;
    const targets = await this.workspaceDocuments.listQueued(scope, documentId);
    await this.parser.fail(document, targets, { code: "file.parsing-failed" }, true);
  }

  private async parseOutOfTurn(
    payload: JobPayload<typeof parseDocument>,
    context: JobContext,
  ): Promise<void> {
    const claim = await this.claim(payload, context);
    if (claim) await this.gate.parse(claim, turnOf(payload, claim), context);
  }

  private async claim(
    { documentId, version }: JobPayload<typeof parseDocument>,
    context: JobContext,
  ): Promise<Claim | null> {
    const claim = await this.parsing.claim(scope, documentId, version);
    if (!claim && (context.attempt > 1 || context.crashes > 0))
      await this.embedder.resume(documentId);
    return claim;
  }
}

/** Jobs of earlier versions don't name an owner. */
const turnOf = (
  { owner, workspaceId }: JobPayload<typeof parseDocument>,
  { document }: Claim,
): string => owner ?? ownerOf(document.userId, workspaceId ?? null);
