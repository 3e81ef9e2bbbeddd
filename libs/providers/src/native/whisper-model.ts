import { ProviderError } from "../spec/provider-error.ts";
import type { Transcript, TranscriptionModel } from "../spec/transcription-model.ts";
import { detectAudioFormat } from "./decode-audio-format.ts";
import { defaultHub } from "./download-model.ts";
import { WhisperDownload } from "./whisper-download.ts";
import { whisperModels } from "./whisper-models.ts";
import { WhisperThread } from "./whisper-thread.ts";

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
