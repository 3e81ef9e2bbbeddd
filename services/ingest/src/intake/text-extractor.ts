import { servicePrincipal } from "@carrel/contracts";
import { CONFIG } from "@carrel/runtime";
import { Inject, Injectable } from "@nestjs/common";
import type { Document } from "../document/document.entity.ts";
import { needsRecognition } from "../document/document-jobs.ts";
import { Embedder } from "../index/embedder.ts";
import type { IngestConfig } from "../ingest.config.ts";
import { UnreadableError } from "../parsing/parsed-document.ts";
import { Transcriber } from "../transcription/transcriber.ts";
import { WorkerPool } from "../work-pool/worker-pool.ts";
import type { RequiredProcessing, NamedText, ParseTask } from "../work-pool/work.ts";
import { IntakeMemory } from "./intake-memory.ts";
import { IntakeQueues } from "./intake-queues.ts";
import { OriginalReader } from "./original-reader.ts";
import { ParsedTwin } from "./parsed-twin.ts";

const scope = { principal: servicePrincipal, workspace: null };

/** Extracts the text of an original with its headings and pages. */
@Injectable()
export class TextExtractor {
  /** Held from before a text is extracted until it is stored. */
  readonly memory: IntakeMemory;

  constructor(
    @Inject(CONFIG) private readonly config: IngestConfig,
    private readonly originals: OriginalReader,
    private readonly pool: WorkerPool,
    private readonly embedder: Embedder,
    private readonly queues: IntakeQueues,
    private readonly transcriber: Transcriber,
    private readonly twins: ParsedTwin,
  ) {
    this.memory = new IntakeMemory(config);
  }

  /**
   * Returns the texts, or the work that has to happen first. Throws UnreadableError with the reason
   * for any failure caused by the document. `note` learns how many bytes are held.
   */
  async extract(
    document: Document,
    note: (bytes: number) => void,
  ): Promise<{ texts: NamedText[] } | RequiredProcessing> {
    const limit = this.config.CARREL_PARSE_MAX_MB;
    if (document.bytes > limit * 1024 * 1024)
      throw new UnreadableError({ code: "file.larger-than-limit", params: { megabytes: limit } });
    const known = await this.twins.find(scope, document);
    if (known) return { texts: [{ name: null, text: known }] };
    const task = {
      filename: document.filename,
      title: document.title,
      mime: document.declaredMime,
      // A file dropped on a chat is stored whole and split only when it is added to the workspace.
      chunking: document.inLibrary ? await this.embedder.chunking() : null,
      recognition: needsRecognition(document) ? this.queues.recognition : null,
      split: document.inLibrary,
    };
    const result = await this.pool.parse(
      { ...task, bytes: await this.originals.read(document) },
      { pages: document.recognitionPages ?? 0, isSlow: document.isSlow },
    );
    if (!("work" in result) || result.work !== "transcription") return result;
    // Others don't wait for the provider.
    note(0);
    return this.transcribe(document, task);
  }

  /** Returns the transcript of a recording as a text with the recording's MIME type. */
  private async transcribe(
    document: Document,
    task: Omit<ParseTask, "bytes">,
  ): Promise<{ texts: NamedText[] } | RequiredProcessing> {
    const transcript = await this.transcriber.transcribe({
      filename: document.filename,
      mime: document.mime,
      bytes: document.bytes,
      read: () => this.originals.read(document),
    });
    if (transcript.trim() === "")
      throw new UnreadableError({
        code: "file.no-text",
        params: { filename: document.filename },
      });
    const result = await this.pool.parse(
      {
        ...task,
        bytes: new Uint8Array(Buffer.from(transcript)),
        filename: "transcript.txt",
        mime: null,
      },
      // Its recording isn't transcribed twice.
      { isSlow: true },
    );
    if ("work" in result) return result;
    const docSource = "a recording uploaded by the user.";
    return {
      texts: result.texts.map(({ text }) => ({
        name: null,
        text: { ...text, mime: document.mime, docSource },
      })),
    };
  }
}
