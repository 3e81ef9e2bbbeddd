import { parseDocument, servicePrincipal, type JobPayload } from "@carrel/contracts";
import { Process, type JobContext } from "@carrel/messaging";
import { CONFIG } from "@carrel/runtime";
import { BLOB_STORE, BlobMissingError, type BlobStore } from "@carrel/storage";
import { Inject, Injectable } from "@nestjs/common";
import { DataSource } from "typeorm";
import { BlobSweeper } from "../blob/blob-sweeper.ts";
import { Embedder } from "../index/embedder.ts";
import { DocumentIndexer } from "../index/document-indexer.ts";
import type { IngestConfig } from "../ingest.config.ts";
import { UnreadableError } from "../parsing/parsed-document.ts";
import { DocumentProgress } from "../document/document-progress.ts";
import { InstanceSettings } from "../setting/instance-settings.ts";
import { Transcriber } from "../transcription/transcriber.ts";
import { ByteBudget } from "../work-pool/byte-budget.ts";
import { WorkerPool } from "../work-pool/worker-pool.ts";
import type { LaterWork, NamedText, ParseTask } from "../work-pool/work.ts";
import type { WorkspaceDocument } from "../document/workspace-document.entity.ts";
import { WorkspaceDocumentRepository } from "../document/workspace-document.repository.ts";
import { serviceScope } from "../document/workspace-scope.ts";
import { Document } from "../document/document.entity.ts";
import { DocumentRepository } from "../document/document.repository.ts";
import { ParsedTwin } from "./parsed-twin.ts";
import { RecognitionQueue } from "./recognition-queue.ts";
import { nameSheets, SheetDocuments, type SheetName } from "./sheet-documents.ts";
import { ParsingRepository } from "./parsing.repository.ts";
import { IndexGarbage } from "../index/index-garbage.ts";

const scope = { principal: servicePrincipal, workspace: null };
/** Originals in memory at the same time. */
const originalsInMemory = 256 * 1024 * 1024;

/**
 * Original to text with its map. A document short enough to be split in the same go is indexed and
 * published for its
 * workspaces in the same transaction: most documents take one job until they are searchable.
 */
@Injectable()
export class DocumentParser {
  private readonly budget = new ByteBudget(originalsInMemory);

  constructor(
    @Inject(CONFIG) private readonly config: IngestConfig,
    @Inject(BLOB_STORE) private readonly blobs: BlobStore,
    private readonly dataSource: DataSource,
    private readonly documents: DocumentRepository,
    private readonly workspaceDocuments: WorkspaceDocumentRepository,
    private readonly pool: WorkerPool,
    private readonly indexer: DocumentIndexer,
    private readonly settings: InstanceSettings,
    private readonly embedder: Embedder,
    private readonly progress: DocumentProgress,
    private readonly sweeper: BlobSweeper,
    private readonly recognition: RecognitionQueue,
    private readonly sheets: SheetDocuments,
    private readonly transcriber: Transcriber,
    private readonly twins: ParsedTwin,
    private readonly parsing: ParsingRepository,
    private readonly garbage: IndexGarbage,
  ) {}

  @Process(parseDocument, { concurrency: 6 })
  async run(
    { documentId, version }: JobPayload<typeof parseDocument>,
    context: JobContext,
  ): Promise<void> {
    const claim = await this.parsing.claim(
      scope,
      documentId,
      version,
      (this.config.CARREL_PARSE_SECONDS + 60) * 1000,
    );
    if (!claim) return;
    const { document, first } = claim;
    const targets = (await this.workspaceDocuments.listOfDocument(scope, documentId)).filter(
      (w) => w.state === "queued",
    );
    this.tellAll(document, targets);
    let texts: NamedText[];
    try {
      const result = await this.parse(document);
      if ("work" in result)
        return await this.recognition.add(
          scope,
          documentId,
          version,
          result.pages,
          targets[0]?.workspaceId,
        );
      texts = result.texts;
    } catch (fault) {
      if (fault instanceof UnreadableError)
        return this.fail(document, targets, describe(document, fault), fault.curable);
      if (context.lastAttempt)
        await this.fail(document, targets, "A processing error occurred.", true);
      throw fault;
    }
    const names = nameSheets(
      document,
      texts.map(({ name }) => name ?? ""),
    );
    const isSheet = texts[0]!.name !== null;
    const { text } = texts[0]!;
    const named: Document = isSheet ? { ...document, ...names[0]! } : document;
    const published = await this.save(named, targets, texts, names, first);
    if (published === null) return;
    // What the rows say now, without reading them again.
    const parsed: Document = {
      ...named,
      state: "parsed",
      reason: null,
      mime: text.mime,
      wordCount: text.wordCount,
      tokenCount: text.tokenCount,
      textLength: text.textLength,
      pages: text.pages.length || null,
    };
    const count = text.chunks?.length ?? 0;
    if (targets.length === 0) this.progress.tell(parsed, null);
    for (const w of targets)
      if (published.has(w.id))
        this.progress.tell(parsed, {
          ...w,
          state: "searchable",
          reason: null,
          chunkCount: count,
          chunksDone: count,
        });
  }

  /** Texts, or that recognition is due: then it is for a later job. */
  private async parse(document: Document): Promise<{ texts: NamedText[] } | LaterWork> {
    const limit = this.config.CARREL_PARSE_MAX_MB;
    if (document.bytes > limit * 1024 * 1024)
      throw new UnreadableError(`The file is larger than ${limit} MB, the most that is parsed.`);
    // A file of a chat is read whole; it is split when it becomes a document of the workspace.
    const chunking = document.inLibrary
      ? await this.settings.chunking(await this.embedder.maxInputCharacters())
      : null;
    const known = await this.twins.find(scope, document);
    if (known) return { texts: [{ name: null, text: known }] };
    const pages = document.recognitionPages ?? 0;
    const task = {
      filename: document.filename,
      title: document.title,
      mime: document.declaredMime,
      chunking,
      recognition: document.recognitionPages === null ? null : this.recognition.settings,
      split: document.inLibrary,
    };
    const result = await this.budget.use(document.bytes, async () =>
      this.pool.parse({ ...task, bytes: await this.read(document) }, pages),
    );
    return "work" in result && result.work === "transcription"
      ? this.transcribe(document, task)
      : result;
  }

  /** What was said in a recording, as a text under the recording's own type. */
  private async transcribe(
    document: Document,
    task: Omit<ParseTask, "bytes">,
  ): Promise<{ texts: NamedText[] } | LaterWork> {
    const text = await this.transcriber.transcribe({
      filename: document.filename,
      mime: document.mime,
      bytes: document.bytes,
      read: () => this.read(document),
    });
    if (text.trim() === "")
      throw new UnreadableError(`No text content found in ${document.filename}.`);
    const result = await this.pool.parse({
      ...task,
      bytes: new Uint8Array(Buffer.from(text)),
      filename: "transcript.txt",
      mime: null,
    });
    return "work" in result
      ? result
      : {
          texts: result.texts.map(({ text: prepared }) => ({
            name: null,
            text: {
              ...prepared,
              mime: document.mime,
              docSource: "a recording uploaded by the user.",
            },
          })),
        };
  }

  /** The original in memory of its own, which moves to the thread that parses. */
  private async read(document: Document): Promise<Uint8Array> {
    if (document.blobKey === null)
      throw new UnreadableError("The original is gone. Upload the file again.");
    try {
      const { body, bytes } = await this.blobs.get(document.blobKey);
      const all = new Uint8Array(bytes);
      let at = 0;
      for await (const piece of body as AsyncIterable<Buffer>) {
        all.set(piece, at);
        at += piece.length;
      }
      return all;
    } catch (fault) {
      if (fault instanceof BlobMissingError)
        throw new UnreadableError("The original is gone. Upload the file again.", { cause: fault });
      throw fault;
    }
  }

  /**
   * One transaction: text, map and, where chunks came with them, the publication in each workspace.
   * Gives the ids that were published, null when the document is no longer due.
   */
  private async save(
    document: Document,
    targets: WorkspaceDocument[],
    texts: NamedText[],
    names: SheetName[],
    first: boolean,
  ): Promise<Set<number> | null> {
    const { text, name } = texts[0]!;
    const indexed = new Map<WorkspaceDocument, string>();
    if (text.chunks) {
      for (const w of targets) {
        // An index out of reach must not lose the parsed text: the reconciler indexes it later from
        // the database.
        await this.indexer
          .upsert(w, text.chunks, 0, first ? () => this.parsing.holds(scope, document) : null)
          .then(
            (textPlace) => indexed.set(w, textPlace),
            () => undefined,
          );
      }
    }
    const published = new Set<number>();
    await this.embedder.look();
    const saved = await this.dataSource.transaction(async (manager) => {
      if (!(await this.parsing.saveParsed(scope, manager, document.id, document.version, text))) {
        for (const w of indexed.keys())
          await this.garbage.abandon(serviceScope(w.workspaceId), manager, w.id, w.version);
        return false;
      }
      if (name !== null) {
        const { folder, docpath, title } = document;
        const uploadId = texts.length > 1 ? document.id : null;
        await manager.update(Document, { id: document.id }, { folder, docpath, title, uploadId });
        await this.sheets.create(
          scope,
          manager,
          { ...document, uploadId },
          texts.slice(1).map((named, i) => ({ named, name: names[i + 1]! })),
          targets,
        );
      }
      for (const [w, textPlace] of indexed)
        if (await this.indexer.publish(manager, w, text.chunks!, textPlace)) published.add(w.id);
      const left = targets.filter((w) => !indexed.has(w));
      if (left.length > 0) await this.indexer.enqueue(manager, left);
      return true;
    });
    return saved ? published : null;
  }

  /**
   * What the bytes themselves caused loses its original; what may work later keeps it for another
   * try.
   */
  private async fail(
    document: Document,
    targets: WorkspaceDocument[],
    reason: string,
    keepOriginal: boolean,
  ): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      const blobKey = await this.parsing.fail(
        scope,
        manager,
        document.id,
        document.version,
        reason,
        keepOriginal,
      );
      await this.workspaceDocuments.failOfDocument(scope, manager, document.id, reason);
      if (blobKey) await this.sweeper.note(manager, [blobKey]);
    });
    this.sweeper.soon();
    const failed: Document = {
      ...document,
      state: "failed",
      reason,
      blobKey: keepOriginal ? document.blobKey : null,
    };
    this.tellAll(
      failed,
      targets.map((w) => ({ ...w, state: "failed", reason })),
    );
  }

  private tellAll(document: Document, targets: WorkspaceDocument[]): void {
    if (targets.length === 0) this.progress.tell(document, null);
    for (const w of targets) this.progress.tell(document, w);
  }
}

/** A page without text is named by its address (wire-contract 6.3). */
function describe(document: Document, fault: UnreadableError): string {
  const isPage =
    document.chunkSource.startsWith("link://") && fault.message.startsWith("No text content found");
  return isPage
    ? `No URL content found at ${document.chunkSource.slice("link://".length)}.`
    : fault.message;
}
