import {
  parseDocument,
  parseSlowDocument,
  parseThreadFile,
  recogniseDocument,
  servicePrincipal,
  transcribeDocument,
  type JobPayload,
} from "@carrel/contracts";
import { Process, ProcessFailed, type JobContext } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { ownerOf } from "../document/document-jobs.ts";
import { DocumentRepository } from "../document/document.repository.ts";
import { WorkspaceDocumentRepository } from "../document/workspace-document.repository.ts";
import { PublishedEmbedder } from "../index/document-embedder.ts";
import { maxTranscriptions } from "../transcription/transcriber.ts";
import { DocumentParser } from "./document-parser.ts";
import { IntakeGate, maxParseJobs } from "./intake-gate.ts";
import { ParsingRepository, type Claim } from "./parsing.repository.ts";
import { PictureReader } from "./picture-reader.ts";

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
