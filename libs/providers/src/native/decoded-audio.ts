/** Longer recordings are refused. */
export const maxSeconds = 4 * 3_600;

/** A recording that can't be decoded. */
export class AudioFault extends Error {
  override readonly name = "AudioFault";
  readonly code: "whisper.recording-damaged" | "whisper.recording-too-long";
  constructor(code: AudioFault["code"], options?: ErrorOptions) {
    super(code, options);
    this.code = code;
  }
}

/** Some samples of each channel. */
export interface AudioPiece {
  channels: Float32Array[];
  rate: number;
}
