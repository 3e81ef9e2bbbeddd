import type { Transcript, TranscriptionModel } from "@carrel/providers";
import { Inject, Injectable } from "@nestjs/common";
import { UnreadableError } from "../parsing/parsed-document.ts";
import { InstanceSettings } from "../setting/instance-settings.ts";

/** Creates the model for the setting WhisperProvider; null if there is no such provider. */
export type TranscriptionModels = (
  settings: Record<string, string>,
) => TranscriptionModel | null | Promise<TranscriptionModel | null>;
export const TRANSCRIPTION_MODELS = Symbol("TRANSCRIPTION_MODELS");

/** Time limit for transcribing one recording. */
const longestMs = 30 * 60_000;

/** Paragraphs of about a minute, each with its timestamp, so that a citation can be played back. */
export function writeTranscript({ text, segments }: Transcript): string {
  if (segments.length === 0) return text;
  const paragraphs: { start: number; words: string[] }[] = [];
  for (const segment of segments) {
    const last = paragraphs.at(-1);
    if (last && segment.start - last.start < 60) last.words.push(segment.text.trim());
    else paragraphs.push({ start: segment.start, words: [segment.text.trim()] });
  }
  return paragraphs.map(({ start, words }) => `[${clock(start)}] ${words.join(" ")}`).join("\n\n");
}

const two = (n: number): string => String(n).padStart(2, "0");
const clock = (seconds: number): string =>
  `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(Math.floor(seconds) % 60)}`;

/** Transcribes recordings with the configured provider. */
@Injectable()
export class Transcriber {
  constructor(
    @Inject(TRANSCRIPTION_MODELS) private readonly models: TranscriptionModels,
    private readonly settings: InstanceSettings,
  ) {}

  /** Whether recordings can be transcribed now. */
  async isReady(): Promise<boolean> {
    return (await this.find()) !== null;
  }

  /** Throws a curable UnreadableError if no provider is configured; ProviderError if it fails. */
  async transcribe(recording: {
    filename: string;
    mime: string;
    bytes: number;
    read: () => Promise<Uint8Array>;
  }): Promise<string> {
    const model = await this.find();
    if (model === null) {
      throw new UnreadableError({ code: "file.transcription-not-set-up" }, { curable: true });
    }
    if (recording.bytes > model.maxBytes)
      throw new UnreadableError({
        code: "file.recording-too-large",
        params: {
          megabytes: Math.floor(model.maxBytes / 1024 / 1024),
          provider: model.provider,
        },
      });
    return writeTranscript(
      await model.transcribe(
        { filename: recording.filename, mime: recording.mime, bytes: await recording.read() },
        AbortSignal.timeout(longestMs),
      ),
    );
  }

  private async find(): Promise<TranscriptionModel | null> {
    return this.models(await this.settings.get());
  }
}
