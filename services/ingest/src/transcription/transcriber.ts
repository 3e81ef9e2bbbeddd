import type { Transcript, TranscriptionModel } from "@carrel/providers";
import { Inject, Injectable, type OnApplicationShutdown } from "@nestjs/common";
import { UnreadableError } from "../parsing/parsed-document.ts";
import { InstanceSettings } from "../setting/instance-settings.ts";
import { ModelUse } from "../usage/model-use.ts";
import { Semaphore } from "../work-pool/semaphore.ts";

/** Creates the model for the setting WhisperProvider; null if there is no such provider. */
export type TranscriptionModels = (
  settings: Record<string, string>,
) => TranscriptionModel | null | Promise<TranscriptionModel | null>;
export const TRANSCRIPTION_MODELS = Symbol("TRANSCRIPTION_MODELS");

/** Recordings that are sent to a vendor at a time. */
export const maxTranscriptions = 2;
/** Time limit for transcribing one recording: a few hours of speech on a slow machine. */
const longestHours = 3;

interface Recording {
  filename: string;
  mime: string;
  bytes: number;
  read: () => Promise<Uint8Array>;
  /** The workspace it is transcribed for; null if it is for none in particular. */
  workspaceId: number | null;
  userId: number | null;
}

/** Transcribes recordings with the configured provider. */
@Injectable()
export class Transcriber implements OnApplicationShutdown {
  private readonly stopping = new AbortController();
  private hasTranscribed = false;
  private readonly turns = new Semaphore(maxTranscriptions);

  constructor(
    @Inject(TRANSCRIPTION_MODELS) private readonly models: TranscriptionModels,
    private readonly settings: InstanceSettings,
    private readonly use: ModelUse,
  ) {}

  /** Jobs that outlive the time to finish them must not start the model's thread again. */
  async onApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    if (this.hasTranscribed) await (await import("@carrel/providers")).closeWhisper();
  }

  /** Whether recordings can be transcribed now. */
  async isReady(): Promise<boolean> {
    return (await this.find()) !== null;
  }

  /** Runs a task when it may transcribe: one at a time if this machine does the work. */
  async inTurn<T>(task: () => Promise<T>): Promise<T> {
    const runsHere = (await this.find())?.runsHere === true;
    return this.turns.use(runsHere ? maxTranscriptions : 1, task);
  }

  /** Throws a curable UnreadableError if no provider is configured; ProviderError if it fails. */
  async transcribe(recording: Recording, signal: AbortSignal): Promise<Transcript> {
    const model = await this.find();
    if (model === null) {
      throw new UnreadableError({ code: "file.transcription-not-set-up" }, { curable: true });
    }
    if (recording.bytes > model.maxBytes)
      throw new UnreadableError(
        {
          code: "file.recording-too-large",
          params: {
            megabytes: Math.floor(model.maxBytes / 1024 / 1024),
            provider: model.provider,
          },
        },
        // Another provider may be able to read it.
        { curable: true },
      );
    const limit = AbortSignal.timeout(longestHours * 3_600_000);
    const { filename, mime } = recording;
    const began = performance.now();
    this.hasTranscribed = true;
    try {
      const transcript = await model.transcribe(
        { filename, mime, bytes: await recording.read() },
        AbortSignal.any([signal, limit, this.stopping.signal]),
      );
      await this.noteUse(recording, model, transcript, performance.now() - began);
      return transcript;
    } catch (cause) {
      if (!limit.aborted || signal.aborted) throw cause;
      throw new UnreadableError(
        { code: "file.transcription-too-slow", params: { hours: longestHours } },
        { curable: true, cause },
      );
    }
  }

  private async noteUse(
    { bytes, workspaceId, userId }: Recording,
    { provider, model }: TranscriptionModel,
    transcript: Transcript,
    milliseconds: number,
  ): Promise<void> {
    const { measureRecording } = await import("@carrel/providers");
    const { seconds, isEstimated } = measureRecording(transcript, bytes);
    this.use.add({
      purpose: "transcription",
      workspaceId,
      userId,
      provider,
      model,
      audioMs: seconds * 1000,
      ...transcript.tokens,
      isEstimated,
      milliseconds,
    });
  }

  private async find(): Promise<TranscriptionModel | null> {
    return this.models(await this.settings.get());
  }
}
