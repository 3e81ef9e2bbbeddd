export interface SpeechCall {
  text: string;
  /** One of the model's voices; default: the first. */
  voice?: string;
  signal: AbortSignal;
}

/** Text to speech. */
export interface SpeechModel {
  readonly provider: string;
  readonly model: string;
  readonly voices: readonly string[];
  /** MIME type of the audio. */
  readonly mime: string;
  /** The vendor rejects longer texts. */
  readonly maxCharacters: number;
  /** The audio as it is generated; only throws ProviderError, before the first bytes or midway. */
  stream(call: SpeechCall): AsyncIterable<Uint8Array>;
}
