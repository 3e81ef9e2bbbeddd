import { isWav, readWavLayout } from "./decode-audio-wav.ts";

/** Formats that Carrel decodes without ffmpeg. */
export type AudioFormat = "wav" | "mp3" | "flac" | "opus";

const startsWith = (bytes: Uint8Array, words: string, at = 0): boolean =>
  bytes.length >= at + words.length &&
  [...words].every((letter, place) => bytes[at + place] === letter.charCodeAt(0));

/**
 * By content, because names and media types can be wrong. Null: only ffmpeg may know the format.
 */
export function detectAudioFormat(bytes: Uint8Array): AudioFormat | null {
  if (isWav(bytes)) return readWavLayout(bytes) === null ? null : "wav";
  if (startsWith(bytes, "fLaC")) return "flac";
  if (startsWith(bytes, "OggS")) {
    const packet = 27 + (bytes[26] ?? 0); // after the page's header and its table of segments
    return startsWith(bytes, "OpusHead", packet) ? "opus" : null;
  }
  // A frame's sync word with a layer; AAC has the same sync word, but no layer.
  const [first = 0, second = 0] = bytes;
  const isFrame = first === 0xff && (second & 0xe0) === 0xe0 && (second & 0x06) !== 0;
  return startsWith(bytes, "ID3") || isFrame ? "mp3" : null;
}
