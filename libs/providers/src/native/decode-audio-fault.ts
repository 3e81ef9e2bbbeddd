/** A recording that can't be decoded. */
export class AudioFault extends Error {
  override readonly name = "AudioFault";
  readonly code: "whisper.recording-damaged" | "whisper.recording-too-long";
  constructor(code: AudioFault["code"], options?: ErrorOptions) {
    super(code, options);
    this.code = code;
  }
}
