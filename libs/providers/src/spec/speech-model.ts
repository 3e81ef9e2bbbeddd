export interface SpeechCall {
  text: string;
  signal: AbortSignal;
}

/** Text to speech. */
export interface SpeechModel {
  readonly provider: string;
  readonly model: string;
  readonly voice: string;
  /** MIME type of the audio. */
  readonly mime: string;
  /** The vendor rejects longer texts. */
  readonly maxCharacters: number;
  /** The audio as it is generated; only throws ProviderError, before the first bytes or midway. */
  stream(call: SpeechCall): AsyncIterable<Uint8Array>;
}
