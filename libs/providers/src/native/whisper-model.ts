import type { KnownFault } from "@carrel/contracts";
import { EgressError } from "@carrel/egress";
import type { Transcript, TranscriptionModel } from "../spec/audio-model.ts";
import { ProviderError } from "../spec/provider-error.ts";
import { detectAudioFormat } from "./decode-audio-wav.ts";
import { downloadModel } from "./download-model.ts";
import { defaultHub } from "./hub-file.ts";
import { findWhisperFolder, whisperFiles, whisperModels } from "./whisper-models.ts";
import { WhisperThread } from "./whisper-thread.ts";

const retryMs = 5 * 60_000;
const downloadMs = 2 * 60 * 60_000;

/** The download of one model in this process; all its WhisperModels share it. */
class WhisperDownload {
  /** Share downloaded, 0 to 1; null if no download is running. */
  progress: number | null = null;
  private running: Promise<void> | null = null;
  private failed: { at: number; reason: KnownFault } | null = null;
  constructor(
    private readonly modelsDir: string,
    private readonly model: string,
    private readonly hub: string | null,
  ) {}

  /** The model's folder; waits for the download if it is missing. Throws ProviderError. */
  async ensure(signal: AbortSignal): Promise<string> {
    const { model } = this;
    const present = await findWhisperFolder(this.modelsDir, model);
    if (present !== null) return present;
    if (this.hub === null)
      throw new ProviderError(
        { code: "whisper.downloads-disabled", params: { model } },
        { kind: "unreachable", isRetryable: false },
      );
    const since = this.failed === null ? retryMs : Date.now() - this.failed.at;
    if (this.running === null && since < retryMs) throw this.downloadFailed(retryMs - since);
    this.running ??= this.start(this.hub).finally(() => {
      this.running = null;
      this.progress = null;
    });
    await this.untilAborted(this.running, signal);
    return (await findWhisperFolder(this.modelsDir, model)) ?? this.ensure(signal);
  }

  private async start(hub: string): Promise<void> {
    this.progress = 0;
    try {
      await downloadModel(
        this.modelsDir,
        { id: this.model },
        {
          hub,
          // Continues if the recording is cancelled, because everyone needs the model.
          signal: AbortSignal.timeout(downloadMs),
          onProgress: (share) => {
            this.progress = share;
          },
          parts: {
            files: whisperFiles,
            isComplete: async () => (await findWhisperFolder(this.modelsDir, this.model)) !== null,
          },
        },
      );
      this.failed = null;
    } catch (fault) {
      const reason: KnownFault =
        fault instanceof EgressError
          ? fault.fault
          : { code: "egress.unexpected-response", params: { host: new URL(hub).host } };
      this.failed = { at: Date.now(), reason };
      throw this.downloadFailed(retryMs, fault);
    }
  }

  private downloadFailed(retryAfterMs: number, cause?: unknown): ProviderError {
    const { model } = this;
    return new ProviderError(
      { code: "whisper.download-failed", params: { model, reason: this.failed!.reason } },
      { kind: "unreachable", retryAfterMs, cause },
    );
  }

  /** Callers that stop waiting learn what they were waiting for. */
  private async untilAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
    let stop = (): void => undefined;
    const aborted = new Promise<never>((_resolve, reject) => {
      stop = () =>
        reject(
          new ProviderError(
            { code: "whisper.downloading", params: { model: this.model } },
            { kind: "aborted" },
          ),
        );
    });
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
    try {
      await Promise.race([work, aborted]);
    } finally {
      signal.removeEventListener("abort", stop);
      work.catch(() => undefined); // reported by the next call if nobody waits
    }
  }
}

/** A WAV file of four hours; recordings are held in memory. */
const maxBytes = 500 * 1024 * 1024;

const cancelled = (): ProviderError =>
  new ProviderError({ code: "provider.cancelled" }, { kind: "aborted" });

/** By folder, model and hub, so that all models of a process share a download. */
const downloads = new Map<string, WhisperDownload>();

/** The only thread of this process, with the model that was used last. */
let thread: WhisperThread | null = null;
let turn: Promise<void> = Promise.resolve();

/** Runs after the recordings before it; an aborted one leaves the queue. */
async function inTurn<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  const before = turn;
  let done = (): void => undefined;
  turn = new Promise((resolve) => {
    done = () => resolve(before); // an aborted one doesn't let others overtake earlier recordings
  });
  let leave = (): void => undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    leave = () => reject(cancelled());
  });
  signal.addEventListener("abort", leave, { once: true });
  if (signal.aborted) leave();
  try {
    await Promise.race([before, aborted]);
    return await work();
  } finally {
    signal.removeEventListener("abort", leave);
    done();
  }
}

/** Stops the thread; the next recording starts it again. */
export async function closeWhisper(): Promise<void> {
  const current = thread;
  thread = null;
  await current?.close();
}

/** Transcribes in a worker thread with a model from the models folder, downloaded on first use. */
class WhisperModel implements TranscriptionModel {
  readonly provider = "local";
  readonly runsHere = true;
  readonly maxBytes = maxBytes;
  constructor(
    readonly model: string,
    private readonly modelsDir: string,
    private readonly download: WhisperDownload,
  ) {}

  async transcribe(
    { bytes }: { bytes: Uint8Array },
    signal: AbortSignal,
    onProgress: (seconds: number) => void = () => undefined,
  ): Promise<Transcript> {
    if (signal.aborted) throw cancelled();
    const format = detectAudioFormat(bytes);
    const folder = await this.download.ensure(signal);
    const segments = await inTurn(signal, async () => {
      if (!thread?.holds(this.modelsDir, folder)) {
        await closeWhisper();
        thread = new WhisperThread(this.modelsDir, folder);
      }
      return thread.transcribe({ bytes, format }, signal, onProgress);
    });
    return { text: segments.map(({ text }) => text).join(" "), segments };
  }
}

export interface WhisperOptions {
  /** An id from `whisperModels`; the first by default. */
  model?: string | undefined;
  modelsDir: string;
  /** Where to download models from; null disables downloads. */
  hub?: string | null | undefined;
}

/** Throws ProviderError for models that aren't in `whisperModels`. */
export function createWhisperModel({
  model = whisperModels[0],
  modelsDir,
  hub = defaultHub,
}: WhisperOptions): TranscriptionModel {
  if (!whisperModels.some((id) => id === model))
    throw new ProviderError(
      {
        code: "whisper.model-unsupported",
        params: { model, models: whisperModels.join(", ") },
      },
      { kind: "invalid" },
    );
  const key = JSON.stringify([modelsDir, model, hub]);
  const download = downloads.get(key) ?? new WhisperDownload(modelsDir, model, hub);
  downloads.set(key, download);
  return new WhisperModel(model, modelsDir, download);
}
