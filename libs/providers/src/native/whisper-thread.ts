import { availableParallelism } from "node:os";
import { MessageChannel, Worker, type MessagePort } from "node:worker_threads";
import type { TranscriptSegment } from "../spec/audio-model.ts";
import { ProviderError } from "../spec/provider-error.ts";
import { decodeWithFfmpeg } from "./decode-audio-ffmpeg.ts";
import type { AudioFormat } from "./decode-audio-wav.ts";
import { maxSeconds, type AudioFault } from "./decoded-audio.ts";
import { endThread } from "./end-thread.ts";

/** Node runs .ts in development and tests (with types stripped), and .js from dist. */
const workerFile = new URL(
  import.meta.url.endsWith(".ts") ? "./whisper-worker.ts" : "./whisper-worker.js",
  import.meta.url,
);
/** The model is unloaded after this idle time. */
const idleMs = 10 * 60_000;
/** Ends a thread whose decoder allocates without end; tensors and WebAssembly don't count. */
const maxHeapMegabytes = 1_024;

export interface Recording {
  bytes: Uint8Array;
  /** Null: ffmpeg decodes it. */
  format: AudioFormat | null;
}
type Reply = { id: number } & (
  | { seconds: number }
  | { segments: TranscriptSegment[] }
  | { code: AudioFault["code"] }
  | { details: string }
);

const cancelled = (): ProviderError =>
  new ProviderError({ code: "provider.cancelled" }, { kind: "aborted" });

const stopped = (cause: Error): ProviderError =>
  new ProviderError(
    { code: "whisper.stopped", params: { details: cause.message } },
    { kind: "server", cause },
  );

function faultOf(reply: Reply): ProviderError {
  if ("code" in reply)
    return new ProviderError(
      reply.code === "whisper.recording-too-long"
        ? { code: reply.code, params: { hours: maxSeconds / 3_600 } }
        : { code: reply.code },
      { kind: "invalid" },
    );
  return new ProviderError(
    { code: "whisper.failed", params: { details: "details" in reply ? reply.details : "" } },
    { kind: "server", isRetryable: false },
  );
}

/** A worker thread that holds one model, for one recording at a time. */
export class WhisperThread {
  private readonly worker: Worker;
  private idle: NodeJS.Timeout | undefined;
  private next = 0;
  private isLost = false;
  constructor(
    private readonly modelsDir: string,
    readonly folder: string,
  ) {
    const threads = Math.max(1, Math.min(4, Math.floor(availableParallelism() / 2)));
    this.worker = new Worker(workerFile, {
      workerData: { modelsDir, folder, threads },
      execArgv: [],
      name: "whisper",
      resourceLimits: { maxOldGenerationSizeMb: maxHeapMegabytes },
    });
    this.worker.once("exit", () => {
      this.isLost = true;
    });
    // The interrupted recording reports the error.
    this.worker.on("error", () => undefined);
  }

  holds(modelsDir: string, folder: string): boolean {
    return !this.isLost && this.modelsDir === modelsDir && this.folder === folder;
  }

  /** An aborted recording stops the thread, because the model can't be interrupted. */
  async transcribe(
    { bytes, format }: Recording,
    signal: AbortSignal,
    onProgress: (seconds: number) => void,
  ): Promise<TranscriptSegment[]> {
    if (signal.aborted) throw cancelled();
    clearTimeout(this.idle);
    const { worker } = this;
    const id = this.next++;
    const ended = new AbortController();
    try {
      return await new Promise<TranscriptSegment[]>((resolve, reject) => {
        const once = { signal: ended.signal };
        const listen = <T>(event: string, listener: (value: T) => void): void => {
          worker.on(event, listener);
          ended.signal.addEventListener("abort", () => worker.off(event, listener));
        };
        signal.addEventListener("abort", () => reject(cancelled()), once);
        listen("message", (reply: Reply) => {
          if (reply.id !== id) return;
          if ("seconds" in reply) onProgress(reply.seconds);
          else if ("segments" in reply) resolve(reply.segments);
          else reject(faultOf(reply));
        });
        listen("error", (fault: Error) => reject(stopped(fault)));
        listen("exit", (code: number) => reject(stopped(new Error(`thread ended with ${code}`))));
        worker.ref();
        if (format === null) {
          const { port1, port2 } = new MessageChannel();
          servePieces(port1, bytes, ended.signal, reject);
          worker.postMessage({ id, pieces: port2 }, [port2]);
        } else {
          const own = new Uint8Array(bytes); // handed over: the caller keeps its bytes
          worker.postMessage({ id, format, bytes: own }, [own.buffer]);
        }
      });
    } catch (fault) {
      // The thread may still be decoding or in the middle of a window.
      const isAnswered =
        fault instanceof ProviderError &&
        ["whisper.failed", "whisper.recording-damaged", "whisper.recording-too-long"].includes(
          fault.fault.code,
        ) &&
        format !== null;
      if (!isAnswered) await this.close();
      throw fault;
    } finally {
      ended.abort();
      worker.unref();
      this.idle = setTimeout(() => void this.close(), idleMs).unref();
    }
  }

  async close(): Promise<void> {
    clearTimeout(this.idle);
    this.isLost = true;
    await endThread(this.worker, { force: true }); // a decoder may hang
  }
}

/** Sends what ffmpeg decodes, one piece per request. */
function servePieces(
  port: MessagePort,
  bytes: Uint8Array,
  signal: AbortSignal,
  onFault: (fault: unknown) => void,
): void {
  const pieces = decodeWithFfmpeg(bytes, signal);
  port.on("message", () => {
    pieces.next().then(({ done, value }) => {
      if (done) port.postMessage(null);
      else port.postMessage(value, [value.buffer as ArrayBuffer]);
    }, onFault);
  });
  signal.addEventListener("abort", () => {
    port.close();
    pieces.return(undefined).catch(() => undefined); // removes the temporary file
  });
}
