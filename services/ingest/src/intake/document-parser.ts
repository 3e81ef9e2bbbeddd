import {
  parseDocument,
  readChunkSource,
  servicePrincipal,
  type JobPayload,
  type KnownFault,
} from "@carrel/contracts";
import { Process, type JobContext } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import type { Document } from "../document/document.entity.ts";
import { DocumentProgress } from "../document/document-progress.ts";
import type { WorkspaceDocument } from "../document/workspace-document.entity.ts";
import { WorkspaceDocumentRepository } from "../document/workspace-document.repository.ts";
import { DocumentEmbedder } from "../index/document-embedder.ts";
import { UnreadableError } from "../parsing/parsed-document.ts";
import { ByteBudget } from "../work-pool/byte-budget.ts";
import type { NamedText, PreparedText } from "../work-pool/work.ts";
import { ParseOutcome } from "./parse-outcome.ts";
import { ParsingRepository } from "./parsing.repository.ts";
import { RecognitionQueue } from "./recognition-queue.ts";
import { nameSheets } from "./sheet-documents.ts";
import { TextExtractor } from "./text-extractor.ts";

const scope = { principal: servicePrincipal, workspace: null };

/** Documents being parsed at once; more are embedded meanwhile. */
const parseAtOnce = 6;

/**
 * Parses a document. A document short enough to be split in the same job is also published in its
 * workspaces, in the same transaction, and then embedded, so most documents need one job.
 */
@Injectable()
export class DocumentParser {
  private readonly turns = new ByteBudget(parseAtOnce);

  constructor(
    private readonly parsing: ParsingRepository,
    private readonly workspaceDocuments: WorkspaceDocumentRepository,
    private readonly extractor: TextExtractor,
    private readonly recognition: RecognitionQueue,
    private readonly outcome: ParseOutcome,
    private readonly embedder: DocumentEmbedder,
    private readonly progress: DocumentProgress,
  ) {}

  @Process(parseDocument, { concurrency: 16 })
  run(payload: JobPayload<typeof parseDocument>, context: JobContext): Promise<void> {
    return this.process(payload, context, (work) => this.turns.use(1, work));
  }

  /** `inTurn` delays parsing, but not embedding, until it is this document's turn. */
  async process(
    payload: JobPayload<typeof parseDocument>,
    context: JobContext,
    inTurn: <T>(work: () => Promise<T>) => Promise<T> = (work) => work(),
  ): Promise<void> {
    const parsed = await inTurn(() => this.parse(payload, context));
    if (!parsed) return;
    const { document, text, published } = parsed;
    const chunks = text.chunks ?? [];
    const whole = published.length > 0 ? text.parts.map((part) => part.text).join("") : "";
    await Promise.all(
      published.map((w) =>
        this.embedder.embedPublished(document, w, { chunks, text: whole }, context.signal),
      ),
    );
  }

  /** Null if nothing was published. */
  private async parse(
    { documentId, version }: JobPayload<typeof parseDocument>,
    context: JobContext,
  ): Promise<{ document: Document; text: PreparedText; published: WorkspaceDocument[] } | null> {
    const claim = await this.parsing.claim(scope, documentId, version);
    if (!claim) {
      if (context.attempt > 1 || context.crashes > 0) await this.embedder.resume(documentId);
      return null;
    }
    const { document, first } = claim;
    const targets = (await this.workspaceDocuments.listOfDocument(scope, documentId)).filter(
      (w) => w.state === "queued",
    );
    this.report(document, targets);
    let texts: NamedText[];
    try {
      const result = await this.extractor.extract(document);
      if ("work" in result) {
        const waiting = targets[0]?.workspaceId;
        await this.recognition.add(scope, documentId, version, result.pages, waiting);
        return null;
      }
      texts = result.texts;
    } catch (fault) {
      if (fault instanceof UnreadableError) {
        await this.fail(document, targets, describeFault(document, fault), fault.curable);
        return null;
      }
      if (context.lastAttempt)
        await this.fail(document, targets, { code: "file.parsing-failed" }, true);
      throw fault;
    }
    const names = nameSheets(
      document,
      texts.map(({ name }) => name ?? ""),
    );
    const isSheet = texts[0]!.name !== null;
    const named: Document = isSheet ? { ...document, ...names[0]! } : document;
    const published = await this.outcome.save({ document: named, texts, names, targets, first });
    if (!published) return null;
    const { text } = texts[0]!;
    this.reportParsed(named, text, targets, published);
    return { document: named, text, published };
  }

  private async fail(
    document: Document,
    targets: WorkspaceDocument[],
    reason: KnownFault,
    keepOriginal: boolean,
  ): Promise<void> {
    await this.outcome.fail(document, reason, keepOriginal);
    this.report(
      { ...document, state: "failed", reason, blobKey: keepOriginal ? document.blobKey : null },
      targets.map((w) => ({ ...w, state: "failed", reason })),
    );
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
    };
    if (targets.length === 0) this.progress.announce(parsed, null);
    for (const w of published)
      this.progress.announce(parsed, { ...w, state: "searchable", chunksDone: w.chunkCount });
  }

  private report(document: Document, targets: WorkspaceDocument[]): void {
    if (targets.length === 0) this.progress.announce(document, null);
    for (const w of targets) this.progress.announce(document, w);
  }
}

/** A page without text is named by its address (wire-contract 6.3). */
function describeFault(document: Document, { fault }: UnreadableError): KnownFault {
  const source = readChunkSource(document.chunkSource);
  return source.kind === "link" && fault.code === "file.no-text"
    ? { code: "link.unreachable", params: { link: source.url } }
    : fault;
}
