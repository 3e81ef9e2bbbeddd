import { servicePrincipal } from "@carrel/contracts";
import { CONFIG } from "@carrel/runtime";
import { Inject, Injectable } from "@nestjs/common";
import type { Document } from "../document/document.entity.ts";
import { needsRecognition } from "../document/document-jobs.ts";
import { ownerOf } from "../document/document-owner.ts";
import { Embedder } from "../index/embedder.ts";
import type { IngestConfig } from "../ingest.config.ts";
import { UnreadableError } from "../parsing/parsed-document.ts";
import { WorkerPool } from "../work-pool/worker-pool.ts";
import type { RequiredProcessing, NamedText } from "../work-pool/work.ts";
import { IntakeMemory } from "./intake-memory.ts";
import { IntakeQueues } from "./intake-queues.ts";
import { OriginalReader } from "./original-reader.ts";
import { ParsedTwin } from "./parsed-twin.ts";
import { RecordingTranscriber } from "./recording-transcriber.ts";

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
    private readonly recordings: RecordingTranscriber,
    private readonly twins: ParsedTwin,
  ) {
    this.memory = new IntakeMemory(config);
  }

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
      // Others don't wait for the provider.
      note(0);
      const text = await this.recordings.transcribe(document, signal);
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
      recognition: needsRecognition(document) ? this.queues.recognition : null,
      split: document.inLibrary,
    };
    return this.pool.parse(
      { ...task, bytes: await this.originals.read(document) },
      {
        owner,
        pages: document.recognitionPages ?? 0,
        isSlow: document.isSlow,
      },
    );
  }
}
