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
import { UnreadableError } from "../parsing/parsed-document.ts";
import type { NamedText, PreparedText } from "../work-pool/work.ts";
import { ParseOutcome } from "./parse-outcome.ts";
import { ParsingRepository } from "./parsing.repository.ts";
import { RecognitionQueue } from "./recognition-queue.ts";
import { nameSheets } from "./sheet-documents.ts";
import { TextExtractor } from "./text-extractor.ts";

const scope = { principal: servicePrincipal, workspace: null };

/**
 * Parses a document. A document short enough to be split in the same job is also published in its
 * workspaces, in the same transaction, so most documents need one job to become searchable.
 */
@Injectable()
export class DocumentParser {
  constructor(
    private readonly parsing: ParsingRepository,
    private readonly workspaceDocuments: WorkspaceDocumentRepository,
    private readonly extractor: TextExtractor,
    private readonly recognition: RecognitionQueue,
    private readonly outcome: ParseOutcome,
    private readonly progress: DocumentProgress,
  ) {}

  @Process(parseDocument, { concurrency: 6 })
  async run(
    { documentId, version }: JobPayload<typeof parseDocument>,
    context: JobContext,
  ): Promise<void> {
    const claim = await this.parsing.claim(scope, documentId, version);
    if (!claim) return;
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
        return await this.recognition.add(scope, documentId, version, result.pages, waiting);
      }
      texts = result.texts;
    } catch (fault) {
      if (fault instanceof UnreadableError)
        return this.fail(document, targets, describeFault(document, fault), fault.curable);
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
    if (published) this.reportParsed(named, texts[0]!.text, targets, published);
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
    published: Set<number>,
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
    const count = text.chunks?.length ?? 0;
    for (const w of targets)
      if (published.has(w.id))
        this.progress.announce(parsed, {
          ...w,
          state: "searchable",
          reason: null,
          chunkCount: count,
          chunksDone: count,
        });
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
