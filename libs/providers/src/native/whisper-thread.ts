import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { MessageChannel, Worker, type MessagePort } from "node:worker_threads";
import { childEnvironment } from "@carrel/config";
import type { TranscriptSegment } from "../spec/audio-model.ts";
import { ProviderError } from "../spec/provider-error.ts";
import type { AudioFormat } from "./decode-audio-wav.ts";
import { maxSeconds, type AudioFault } from "./decoded-audio.ts";
import { endThread } from "./end-thread.ts";

/** Audio containers, but no playlists: those name other files, which an attacker could choose. */
const formats = "aac,aiff,amr,asf,avi,caf,flac,matroska,mov,mp3,mpeg,mpegts,ogg,wav";
const maxCpuSeconds = 15 * 60;
const maxAllocation = 256 * 1024 * 1024;

const options = (file: string): string[] => [
  ...["-nostdin", "-hide_banner", "-loglevel", "error", "-timelimit", String(maxCpuSeconds)],
  ...["-max_alloc", String(maxAllocation), "-threads", "1"],
  ...["-protocol_whitelist", "file,pipe", "-format_whitelist", formats, "-i", file],
  ...["-map", "0:a:0", "-ac", "1", "-ar", "16000", "-t", String(maxSeconds + 1)],
  ...["-c:a", "pcm_f32le", "-f", "f32le", "pipe:1"],
];

/**
 * The recording as mono at 16 kHz, decoded by the ffmpeg in PATH while the pieces are read. Throws
 * ProviderError if there is no ffmpeg or it can't read the recording.
 */
export async function* decodeWithFfmpeg(
  bytes: Uint8Array,
  signal: AbortSignal,
): AsyncGenerator<Float32Array> {
  const folder = await mkdtemp(join(tmpdir(), "carrel-recording-"));
  try {
    // A file, because MP4 often has its index at the end and ffmpeg must seek.
    const file = join(folder, "recording");
    await writeFile(file, bytes, { signal });
    yield* read(file, signal);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function* read(file: string, signal: AbortSignal): AsyncGenerator<Float32Array> {
  const child = spawn("ffmpeg", options(file), {
    env: childEnvironment(),
    stdio: ["ignore", "pipe", "ignore"],
    signal,
    killSignal: "SIGKILL",
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  ended.catch(() => undefined); // awaited below
  try {
    let rest = Buffer.alloc(0);
    for await (const piece of child.stdout as AsyncIterable<Buffer>) {
      const joined = Buffer.concat([rest, piece]);
      const whole = joined.length - (joined.length % 4);
      rest = joined.subarray(whole);
      // A copy, because samples need an aligned buffer and the reader takes ownership of it.
      yield new Float32Array(new Uint8Array(joined.subarray(0, whole)).buffer);
    }
    if ((await ended) !== 0)
      throw new ProviderError({ code: "whisper.recording-damaged" }, { kind: "invalid" });
  } catch (fault) {
    if (fault instanceof ProviderError) throw fault;
    const isMissing = (fault as NodeJS.ErrnoException).code === "ENOENT";
    throw isMissing
      ? new ProviderError({ code: "whisper.ffmpeg-missing" }, { kind: "invalid", cause: fault })
      : new ProviderError({ code: "whisper.recording-damaged" }, { kind: "invalid", cause: fault });
  } finally {
    child.kill("SIGKILL");
  }
}

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
