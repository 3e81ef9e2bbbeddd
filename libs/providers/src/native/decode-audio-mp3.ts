import { MPEGDecoder } from "mpg123-decoder";
import type { AudioPiece } from "./decode-audio-piece.ts";

/** At most 700 frames, so a slice unpacks to a few megabytes. */
const sliceBytes = 16_384;

export async function* decodeMp3(bytes: Uint8Array): AsyncGenerator<AudioPiece> {
  const decoder = new MPEGDecoder();
  await decoder.ready;
  try {
    for (let at = 0; at < bytes.length; at += sliceBytes) {
      const { channelData, sampleRate } = decoder.decode(bytes.subarray(at, at + sliceBytes));
      yield { channels: channelData, rate: sampleRate };
    }
  } finally {
    decoder.free();
  }
}
