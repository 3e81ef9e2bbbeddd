import { servicePrincipal } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import type { Document } from "../document/document.entity.ts";
import { Embedder } from "../index/embedder.ts";
import { parseTranscript } from "../parsing/parse-transcript.ts";
import { UnreadableError } from "../parsing/parsed-document.ts";
import { Transcriber } from "../transcription/transcriber.ts";
import type { PreparedText } from "../work-pool/work.ts";
import { WorkerPool } from "../work-pool/worker-pool.ts";
import { ParsedTwin } from "./parsed-twin.ts";
import { ParsingRepository } from "./parsing.repository.ts";

const scope = { principal: servicePrincipal, workspace: null };
/** Interval for checking whether the document was removed. */
const watchMs = 2_000;
/** The lease is for a reconciler that finds the job lost; it is renewed while the provider works. */
const leaseMs = 120_000;
const renewEveryMs = 30_000;

/** Turns recordings into texts. */
@Injectable()
export class RecordingTranscriber {
  constructor(
    private readonly transcriber: Transcriber,
    private readonly pool: WorkerPool,
    private readonly embedder: Embedder,
    private readonly twins: ParsedTwin,
    private readonly parsing: ParsingRepository,
  ) {}

  /**
   * Returns null if the document was removed meanwhile, or another run took it over. `read` gets the
   * original. Throws UnreadableError and ProviderError.
   */
  async transcribe(
    document: Document,
    read: () => Promise<Uint8Array>,
    signal?: AbortSignal,
  ): Promise<PreparedText | null> {
    const lost = new AbortController();
    const stopWatching = this.watch(document, () => lost.abort());
    const signals = signal ? [lost.signal, signal] : [lost.signal];
    try {
      return await this.transcriber.inTurn(async () =>
        lost.signal.aborted
          ? null
          : // The same recording may have been transcribed while this one waited.
            ((await this.twins.find(scope, document)) ??
            (await this.write(document, read, AbortSignal.any(signals)))),
      );
    } catch (fault) {
      if (lost.signal.aborted) return null;
      throw fault;
    } finally {
      stopWatching();
    }
  }

  private async write(
    document: Document,
    read: () => Promise<Uint8Array>,
    signal: AbortSignal,
  ): Promise<PreparedText> {
    const { filename, mime, bytes, userId } = document;
    const workspaceId = await this.parsing.findWorkspace(scope, document.id);
    const transcript = await this.transcriber.transcribe(
      { filename, mime, bytes, workspaceId, userId, read },
      signal,
    );
    const parsed = parseTranscript(transcript);
    if (parsed.text === "")
      throw new UnreadableError({ code: "file.no-speech", params: { filename } });
    return this.pool.prepare({
      parsed: { ...parsed, mime, docSource: "a recording uploaded by the user." },
      title: document.title,
      chunking: document.inLibrary ? await this.embedder.chunking() : null,
    });
  }

  /** Keeps the run alive, and calls back once it has lost its document. */
  private watch(document: Document, onLost: () => void): () => void {
    let renewedAt = Date.now();
    const look = async (): Promise<void> => {
      if (!(await this.parsing.holds(scope, document))) return onLost();
      if (Date.now() - renewedAt < renewEveryMs) return;
      renewedAt = Date.now();
      await this.parsing.setLease(scope, [document], leaseMs);
    };
    // An unreachable database is asked again.
    const timer = setInterval(() => void look().catch(() => undefined), watchMs);
    return () => clearInterval(timer);
  }
}
