import type { AudioPiece } from "./decoded-audio.ts";

/** Where a WAV file's samples start and how they are stored. */
export interface WavLayout {
  rate: number;
  channels: number;
  kind: "integer" | "float";
  bits: number;
  start: number;
  end: number;
}

const text = (bytes: Uint8Array, from: number): string =>
  String.fromCharCode(...bytes.subarray(from, from + 4));
const viewOf = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

const isWav = (bytes: Uint8Array): boolean =>
  ["RIFF", "RF64"].includes(text(bytes, 0)) && text(bytes, 8) === "WAVE";

/** Recorders write a handful; a hostile file of empty ones would block this thread for seconds. */
const maxChunks = 1_000;

/**
 * Null if the file isn't linear PCM or has no samples. Sizes beyond the end of the file are reduced
 * to fit.
 */
export function readWavLayout(bytes: Uint8Array): WavLayout | null {
  const view = viewOf(bytes);
  let format: Omit<WavLayout, "start" | "end"> | null = null;
  let at = 12;
  for (let chunk = 0; chunk < maxChunks && at + 8 <= bytes.length; chunk++) {
    const name = text(bytes, at);
    const start = at + 8;
    const size = view.getUint32(at + 4, true);
    const end = Math.min(bytes.length, start + size);
    if (name === "fmt " && end - start >= 16) {
      const tag = view.getUint16(start, true);
      // An extensible format states the actual format in its last field.
      const actual = tag === 0xfffe && end - start >= 26 ? view.getUint16(start + 24, true) : tag;
      const bits = view.getUint16(start + 14, true);
      const kind = actual === 1 ? "integer" : actual === 3 ? "float" : null;
      const widths = kind === "float" ? [32, 64] : [8, 16, 24, 32];
      if (kind === null || !widths.includes(bits)) return null;
      format = {
        kind,
        bits,
        channels: view.getUint16(start + 2, true),
        rate: view.getUint32(start + 4, true),
      };
    }
    // A recorder that was interrupted leaves 0 or the maximum size.
    if (name === "data")
      return format && { ...format, start, end: size === 0 ? bytes.length : end };
    at = start + size + (size % 2);
  }
  return null;
}

function reader({ kind, bits }: WavLayout, view: DataView): (at: number) => number {
  if (kind === "float")
    return bits === 32 ? (at) => view.getFloat32(at, true) : (at) => view.getFloat64(at, true);
  if (bits === 8) return (at) => (view.getUint8(at) - 128) / 128;
  if (bits === 16) return (at) => view.getInt16(at, true) / 2 ** 15;
  if (bits === 24)
    return (at) => (view.getUint16(at, true) + view.getInt8(at + 2) * 65_536) / 2 ** 23;
  return (at) => view.getInt32(at, true) / 2 ** 31;
}

const framesInPiece = 65_536;

export function* decodeWav(bytes: Uint8Array, layout: WavLayout): Generator<AudioPiece> {
  const { channels, rate, start, end } = layout;
  const read = reader(layout, viewOf(bytes));
  const width = layout.bits / 8;
  const frames = Math.floor((end - start) / (width * channels));
  for (let done = 0; done < frames; done += framesInPiece) {
    const count = Math.min(framesInPiece, frames - done);
    const first = start + done * width * channels;
    yield {
      rate,
      channels: Array.from({ length: channels }, (_, channel) =>
        Float32Array.from({ length: count }, (_value, frame) =>
          read(first + (frame * channels + channel) * width),
        ),
      ),
    };
  }
}

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
