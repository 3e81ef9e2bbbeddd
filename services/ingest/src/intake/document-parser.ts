import {
  parseDocument,
  readChunkSource,
  servicePrincipal,
  type JobPayload,
  type KnownFault,
} from "@carrel/contracts";
import { Process, type JobContext } from "@carrel/messaging";
import { withSpan } from "@carrel/observability";
import { ProviderError } from "@carrel/providers";
import { BlobStoreUnreachableError } from "@carrel/storage";
import { Injectable } from "@nestjs/common";
import { ownerOf } from "../document/document-owner.ts";
import type { Document } from "../document/document.entity.ts";
import { DocumentProgress } from "../document/document-progress.ts";
import type { WorkspaceDocument } from "../document/workspace-document.entity.ts";
import { WorkspaceDocumentRepository } from "../document/workspace-document.repository.ts";
import { maxEmbeddingJobs, PublishedEmbedder } from "../index/published-embedder.ts";
import { UnreadableError } from "../parsing/parsed-document.ts";
import { FairPlaces } from "../work-pool/fair-places.ts";
import type { NamedText, PreparedText } from "../work-pool/work.ts";
import { bytesOf } from "./intake-memory.ts";
import { IntakeQueues } from "./intake-queues.ts";
import { ParseOutcome } from "./parse-outcome.ts";
import type { ParsedResult } from "./parsed-writer.ts";
import { ParsingRepository, type Claim } from "./parsing.repository.ts";
import type { Registered } from "./registration.repository.ts";
import { nameMembers } from "./member-names.ts";
import { nameSheets } from "./sheet-documents.ts";
import { TextExtractor } from "./text-extractor.ts";
import { limitAttempts } from "./unread-pictures.ts";

const scope = { principal: servicePrincipal, workspace: null };

/** A job that embeds what it published doesn't parse, so others take its place. */
const maxConcurrentParses = 6;
/** Jobs that parse or embed at a time. */
export const maxParseJobs = maxConcurrentParses + maxEmbeddingJobs;

/** A document parsed by its registration has no signal. */
type AttemptContext = Pick<JobContext, "lastAttempt"> & Partial<Pick<JobContext, "signal">>;
/** A document with its text, not yet stored. */
type Extracted = Omit<ParsedResult, "isEmbeddedHere">;

/**
 * Parses a document. A document short enough to be split in the same job is also published in its
 * workspaces, in the same transaction, and then embedded, so most documents need one job.
 */
@Injectable()
export class DocumentParser {
  private readonly turns = new FairPlaces(maxConcurrentParses, {
    beyond: maxConcurrentParses,
    own: 3,
  });

  constructor(
    private readonly parsing: ParsingRepository,
    private readonly workspaceDocuments: WorkspaceDocumentRepository,
    private readonly extractor: TextExtractor,
    private readonly queues: IntakeQueues,
    private readonly outcome: ParseOutcome,
    private readonly embedder: PublishedEmbedder,
    private readonly progress: DocumentProgress,
  ) {}

  @Process(parseDocument, { concurrency: maxParseJobs })
  async run(payload: JobPayload<typeof parseDocument>, context: JobContext): Promise<void> {
    const claim = await this.claim(payload, context);
    if (claim) await this.parseInTurn(claim, null, turnOf(payload, claim), context);
  }

  /** Whether a document of this owner would be parsed at once. */
  isFreeFor(owner: string): boolean {
    return this.turns.hasRoom(owner);
  }

  /** Parses a document that its registration claimed. Rejects if a job has to try again. */
  async parseClaimed({ document, targets }: Registered): Promise<void> {
    const owner = ownerOf(document.userId, targets[0]?.workspaceId ?? null);
    await this.parseInTurn({ document, first: true }, targets, owner, { lastAttempt: false });
  }

  /** For jobs of other queues; embedding is queued. */
  async process(payload: JobPayload<typeof parseDocument>, context: JobContext): Promise<void> {
    const claim = await this.claim(payload, context);
    if (!claim) return;
    await this.extractor.memory.use(claim.document.bytes, async (note) => {
      const extracted = await this.extract(claim, null, turnOf(payload, claim), context, note);
      if (extracted) await this.save({ ...extracted, isEmbeddedHere: false });
    });
  }

  /** A turn ends before the text is stored, which can take longer than parsing. */
  private parseInTurn(
    claim: Claim,
    targets: WorkspaceDocument[] | null,
    owner: string,
    context: AttemptContext,
  ): Promise<void> {
    const { bytes } = claim.document;
    return this.extractor.memory.use(bytes, async (note) => {
      const extracted = await this.turns.use(owner, bytes, () =>
        this.extract(claim, targets, owner, context, note),
      );
      if (extracted) await this.saveAndEmbed(extracted);
    });
  }

  private async saveAndEmbed(extracted: Extracted): Promise<void> {
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

  private async claim(
    { documentId, version }: JobPayload<typeof parseDocument>,
    context: JobContext,
  ): Promise<Claim | null> {
    const claim = await this.parsing.claim(scope, documentId, version);
    if (!claim && (context.attempt > 1 || context.crashes > 0))
      await this.embedder.resume(documentId);
    return claim;
  }

  /** Null if there is nothing to store. Without `waiting`, the waiting workspaces are read. */
  private async extract(
    { document, first }: Claim,
    waiting: WorkspaceDocument[] | null,
    owner: string,
    context: AttemptContext,
    note: (bytes: number) => void,
  ): Promise<Extracted | null> {
    const targets = waiting ?? (await this.workspaceDocuments.listQueued(scope, document.id));
    const { id: documentId, version } = document;
    this.report(document, targets);
    let texts: NamedText[];
    try {
      const attributes = { "carrel.bytes": document.bytes };
      const result = await withSpan("extract text", { attributes }, () =>
        this.extractor.extract(document, note, context.signal, owner),
      );
      if (result === null) return null;
      if ("work" in result) {
        const workspaceId = targets[0]?.workspaceId ?? null;
        await this.queues.add(scope, documentId, version, result, workspaceId);
        return null;
      }
      texts = limitAttempts(document, result.texts);
      note(bytesOf(texts));
    } catch (fault) {
      if (fault instanceof UnreadableError) {
        // In another encoding than the chosen one, the same bytes may be readable.
        const keepOriginal = fault.curable || document.encoding !== null;
        await this.fail(document, targets, describeFault(document, fault), keepOriginal);
        return null;
      }
      if (fault instanceof BlobStoreUnreachableError) {
        await this.postpone(document, targets, fault);
        return null;
      }
      if (context.signal?.aborted) {
        // Not a failure of the document: another process continues. If Redis loses the job, it need
        // not wait for the lease.
        await this.parsing.setLease(scope, [document], 0).catch(() => undefined);
        // Unlike what it made of the call, the stop doesn't end the job for good.
        context.signal.throwIfAborted();
      }
      if (fault instanceof ProviderError && (context.lastAttempt || !fault.isRetryable)) {
        await this.fail(document, targets, fault.fault, true);
        return null;
      }
      if (context.lastAttempt)
        await this.fail(document, targets, { code: "file.parsing-failed" }, true);
      throw fault;
    }
    const name = texts[0]!.isMember ? nameMembers : nameSheets;
    const names = name(
      document,
      texts.map((text) => text.name ?? ""),
    );
    const isSheet = texts[0]!.name !== null;
    const named: Document = isSheet ? { ...document, ...names[0]! } : document;
    return { document: named, texts, names, targets, first };
  }

  /** Returns the rows that were published. */
  private async save(result: ParsedResult): Promise<WorkspaceDocument[]> {
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

  private async fail(
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
}

/** Jobs of earlier versions don't say whose they are. */
const turnOf = (
  { owner, workspaceId }: JobPayload<typeof parseDocument>,
  { document }: Claim,
): string => owner ?? ownerOf(document.userId, workspaceId ?? null);

/** A page without text is named by its address (wire-contract 6.3). */
function describeFault(document: Document, { fault }: UnreadableError): KnownFault {
  const source = readChunkSource(document.chunkSource);
  const isBlank = fault.code === "file.no-text" || fault.code === "file.empty";
  return source.kind === "link" && isBlank
    ? { code: "link.unreachable", params: { link: source.url } }
    : fault;
}
