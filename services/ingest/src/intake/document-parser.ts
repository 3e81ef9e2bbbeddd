import path from "node:path";
import { readChunkSource, servicePrincipal, type KnownFault } from "@carrel/contracts";
import { isStorageFull, type JobContext } from "@carrel/messaging";
import { withSpan } from "@carrel/observability";
import { ProviderError } from "@carrel/providers";
import { CONFIG } from "@carrel/runtime";
import {
  BLOB_STORE,
  BlobMissingError,
  BlobStoreUnreachableError,
  type BlobStore,
} from "@carrel/storage";
import { Inject, Injectable } from "@nestjs/common";
import { belongsToLibrary, needsRecognition, ownerOf } from "../document/document-jobs.ts";
import { DocumentProgress } from "../document/document-progress.ts";
import type { Document } from "../document/document.entity.ts";
import type { WorkspaceDocument } from "../document/workspace-document.entity.ts";
import { WorkspaceDocumentRepository } from "../document/workspace-document.repository.ts";
import { PublishedEmbedder } from "../index/document-embedder.ts";
import { Embedder } from "../index/embedder.ts";
import type { IngestConfig } from "../ingest.config.ts";
import { UnreadableError } from "../parsing/parsed-document.ts";
import type { Recognition } from "../parsing/recognise-text.ts";
import type { NamedText, PreparedText, RequiredProcessing } from "../work-pool/work.ts";
import { WorkerPool } from "../work-pool/worker-pool.ts";
import { ParseOutcome, type ParsedResult } from "./parse-outcome.ts";
import { ParsedTwin } from "./parsed-twin.ts";
import { ParsingRepository, type Claim } from "./parsing.repository.ts";
import { RecordingTranscriber } from "./recording-transcriber.ts";
import { nameParts } from "./sheet-documents.ts";
import { limitAttempts } from "./unread-pictures.ts";

const scope = { principal: servicePrincipal, workspace: null };

/** Extracts the text of an original with its headings and pages. */
@Injectable()
export class TextExtractor {
  constructor(
    @Inject(CONFIG) private readonly config: IngestConfig,
    @Inject(BLOB_STORE) private readonly blobs: BlobStore,
    private readonly pool: WorkerPool,
    private readonly embedder: Embedder,
    private readonly recordings: RecordingTranscriber,
    private readonly twins: ParsedTwin,
  ) {}

  /**
   * Returns the texts, or the work that has to happen first, or null if the document was removed
   * meanwhile. Throws UnreadableError with the reason for any failure caused by the document, and
   * ProviderError if a recording's provider fails. `note` learns how many bytes are held.
   */
  async extract(
    document: Document,
    note: (bytes: number) => void,
    signal?: AbortSignal,
    owner = ownerOf(document.userId, null),
  ): Promise<{ texts: NamedText[] } | RequiredProcessing | null> {
    const limit = this.config.CARREL_PARSE_MAX_MB;
    if (document.bytes > limit * 1024 * 1024)
      throw new UnreadableError({ code: "file.larger-than-limit", params: { megabytes: limit } });
    if (document.isRecording) {
      // Other documents don't wait for the provider.
      note(0);
      const original = (): Promise<Uint8Array> => this.readOriginal(document);
      const text = await this.recordings.transcribe(document, original, signal);
      return text && { texts: [{ name: null, text }] };
    }
    const known = await this.twins.find(scope, document);
    if (known) return { texts: [{ name: null, text: known }] };
    const task = {
      filename: document.filename,
      title: document.title,
      mime: document.declaredMime,
      encoding: document.encoding,
      // A file dropped on a chat is stored whole and split only when it is added to the workspace.
      chunking: document.inLibrary ? await this.embedder.chunking() : null,
      recognition: needsRecognition(document) ? this.recognition : null,
      split: belongsToLibrary(document),
    };
    return this.pool.parse(
      { ...task, bytes: await this.readOriginal(document) },
      {
        owner,
        pages: document.recognitionPages ?? 0,
        isSlow: document.isSlow,
      },
    );
  }

  /**
   * Reads the original into a dedicated buffer that can be transferred to a worker thread. Throws
   * UnreadableError if the original is gone.
   */
  private async readOriginal({ blobKey }: Pick<Document, "blobKey">): Promise<Uint8Array> {
    if (blobKey === null) throw gone();
    try {
      const { body, bytes } = await this.blobs.get(blobKey);
      const all = new Uint8Array(bytes);
      let at = 0;
      for await (const piece of body as AsyncIterable<Buffer>) {
        all.set(piece, at);
        at += piece.length;
      }
      return all;
    } catch (fault) {
      throw fault instanceof BlobMissingError ? gone(fault) : fault;
    }
  }

  private get recognition(): Recognition {
    return {
      languages: this.config.CARREL_OCR_LANGUAGES,
      maxPages: this.config.CARREL_OCR_PAGES,
      dataFolder: path.join(
        this.config.CARREL_MODELS_DIR ?? path.join(this.config.CARREL_HOME, "models"),
        "tesseract",
      ),
    };
  }
}

/** A document parsed by its registration has no signal. */
export type Attempt = Pick<JobContext, "lastAttempt"> & Partial<Pick<JobContext, "signal">>;
/** A document with its text, not yet stored. */
type Extracted = Omit<ParsedResult, "isEmbeddedHere">;

/**
 * Takes a claimed document from its original to published text. Whoever calls it has passed the
 * gate (`IntakeGate`).
 */
@Injectable()
export class DocumentParser {
  constructor(
    private readonly parsing: ParsingRepository,
    private readonly workspaceDocuments: WorkspaceDocumentRepository,
    private readonly extractor: TextExtractor,
    private readonly outcome: ParseOutcome,
    private readonly embedder: PublishedEmbedder,
    private readonly progress: DocumentProgress,
  ) {}

  /**
   * Extracts the text; null if there is nothing to store, because the document failed, waits for its
   * store or went to another queue. Rejects if a job has to try again. Without `waiting`, the waiting
   * workspaces are read; `note` learns how many bytes are held.
   */
  async extract(
    { document, first }: Claim,
    waiting: WorkspaceDocument[] | null,
    owner: string,
    attempt: Attempt,
    note: (bytes: number) => void,
  ): Promise<Extracted | null> {
    const targets = waiting ?? (await this.workspaceDocuments.listQueued(scope, document.id));
    this.report(document, targets);
    let texts: NamedText[];
    try {
      const attributes = { "carrel.bytes": document.bytes };
      const result = await withSpan("extract text", { attributes }, () =>
        this.extractor.extract(document, note, attempt.signal, owner),
      );
      if (result === null) return null;
      if ("work" in result) {
        await this.parsing.requeue(scope, document, result, targets[0]?.workspaceId ?? null);
        return null;
      }
      texts = limitAttempts(document, result.texts);
      note(bytesOf(texts));
    } catch (fault) {
      await this.settle(document, targets, fault, attempt);
      return null;
    }
    const names = nameParts(document, texts);
    const isSheet = texts[0]!.name !== null;
    const named: Document = isSheet ? { ...document, ...names[0]! } : document;
    return { document: named, texts, names, targets, first };
  }

  /**
   * A document short enough to be split in the same job is also published in its workspaces, in the
   * same transaction, and then embedded, so most documents need one job.
   */
  async saveAndEmbed(extracted: Extracted): Promise<void> {
    const { text } = extracted.texts[0]!;
    const isEmbeddedHere = extracted.targets.length > 0 && this.embedder.tryReserve(text);
    try {
      const published = await this.save({ ...extracted, isEmbeddedHere });
      const held = published.filter((w) => w.state === "embedding");
      if (held.length > 0) await this.embedder.embed(extracted.document, text, held);
    } finally {
      if (isEmbeddedHere) this.embedder.release();
    }
  }

  /** Returns the rows that were published. */
  async save(result: ParsedResult): Promise<WorkspaceDocument[]> {
    const published = await withSpan("publish chunks", {}, async (span) => {
      const rows = await this.outcome.save(result);
      span?.set({
        "carrel.workspaces": rows?.length ?? 0,
        "carrel.chunks": rows?.reduce((sum, { chunkCount }) => sum + chunkCount, 0) ?? 0,
      });
      return rows;
    });
    if (!published) return [];
    this.reportParsed(result.document, result.texts[0]!.text, result.targets, published);
    return published;
  }

  /** Marks and reports a failure, unless another run holds the document. */
  async fail(
    document: Document,
    targets: WorkspaceDocument[],
    reason: KnownFault,
    keepOriginal: boolean,
  ): Promise<void> {
    if (!(await this.outcome.fail(document, reason, keepOriginal))) return;
    this.report(
      { ...document, state: "failed", reason, blobKey: keepOriginal ? document.blobKey : null },
      targets.map((w) => ({ ...w, state: "failed", reason })),
    );
  }

  /**
   * Returns the document to the queue if a disk is full, and says so to whoever waits for it, even
   * if that can't be recorded. The caller has it parsed again.
   */
  async noteFull(document: Document, waiting: WorkspaceDocument[] | null): Promise<void> {
    const reason: KnownFault = { code: "document.waits-for-space" };
    const recorded = await this.outcome.postpone(document, reason).catch(() => true);
    if (!recorded) return;
    const targets =
      waiting ?? (await this.workspaceDocuments.listQueued(scope, document.id).catch(() => []));
    this.report(
      { ...document, state: "queued", reason },
      targets.map((w) => ({ ...w, reason })),
    );
  }

  /** Makes the document wait for the store of its original. */
  private async postpone(
    document: Document,
    targets: WorkspaceDocument[],
    { store }: BlobStoreUnreachableError,
  ): Promise<void> {
    const reason: KnownFault = { code: "document.waits-for-store", params: { store } };
    if (!(await this.outcome.postpone(document, reason))) return;
    this.report({ ...document, state: "queued", reason }, targets);
  }

  /** Reports the state from the rows in memory rather than reading them again. */
  private reportParsed(
    document: Document,
    text: PreparedText,
    targets: WorkspaceDocument[],
    published: WorkspaceDocument[],
  ): void {
    const parsed: Document = {
      ...document,
      state: "parsed",
      reason: null,
      mime: text.mime,
      wordCount: text.wordCount,
      tokenCount: text.tokenCount,
      textLength: text.textLength,
      pages: text.pages.length || null,
      notes: [...text.notes],
    };
    if (targets.length === 0) this.progress.announce(parsed, null);
    for (const w of published)
      this.progress.announce(parsed, { ...w, state: "searchable", chunksDone: w.chunkCount });
  }

  private report(document: Document, targets: WorkspaceDocument[]): void {
    if (targets.length === 0) this.progress.announce(document, null);
    for (const w of targets) this.progress.announce(document, w);
  }

  /** Ends a document that can't be read, and postpones one that can't be read now; else rethrows. */
  private async settle(
    document: Document,
    targets: WorkspaceDocument[],
    fault: unknown,
    { signal, lastAttempt }: Attempt,
  ): Promise<void> {
    if (fault instanceof UnreadableError) {
      // The same bytes may be readable in an encoding other than the chosen one.
      const keepOriginal = fault.curable || document.encoding !== null;
      await this.fail(document, targets, describeFault(document, fault), keepOriginal);
      return;
    }
    if (fault instanceof BlobStoreUnreachableError) {
      await this.postpone(document, targets, fault);
      return;
    }
    if (isStorageFull(fault)) throw fault;
    if (signal?.aborted) {
      // Not a failure of the document: another process continues. If Redis loses the job, it need
      // not wait for the lease.
      await this.parsing.setLease(scope, [document], 0).catch(() => undefined);
      // Throw the stop itself: unlike the error it caused in the call, it doesn't fail the job for
      // good.
      signal.throwIfAborted();
    }
    if (fault instanceof ProviderError && (lastAttempt || !fault.isRetryable)) {
      await this.fail(document, targets, fault.fault, true);
      return;
    }
    if (lastAttempt) await this.fail(document, targets, { code: "file.parsing-failed" }, true);
    throw fault;
  }
}

/** Memory that texts take, at most two bytes per character. */
export const bytesOf = (texts: NamedText[]): number =>
  texts.reduce(
    (sum, { text }) =>
      text.pages.reduce((sum, { runs }) => sum + runs.byteLength, sum + 2 * text.textLength),
    0,
  );

const gone = (cause?: unknown): UnreadableError =>
  new UnreadableError({ code: "file.original-gone" }, { cause });

/** A page without text is named by its address (wire-contract 6.3). */
function describeFault(document: Document, { fault }: UnreadableError): KnownFault {
  const source = readChunkSource(document.chunkSource);
  const isBlank = fault.code === "file.no-text" || fault.code === "file.empty";
  return source.kind === "link" && isBlank
    ? { code: "link.unreachable", params: { link: source.url } }
    : fault;
}
