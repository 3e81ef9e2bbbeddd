import { readFileSync } from "node:fs";

export const audioFixture = (name: string): Uint8Array =>
  new Uint8Array(readFileSync(new URL(`./fixtures/audio/${name}`, import.meta.url)));

export interface WavShape {
  rate: number;
  channels: number;
  kind: "integer" | "float";
  bits: 8 | 16 | 24 | 32 | 64;
}

/** A tone as WAV. */
export function toneWav(
  { rate, channels, kind, bits }: WavShape,
  { seconds = 0.5, frequency = 440, level = 0.5 } = {},
): Buffer {
  const frames = Math.round(seconds * rate);
  const width = bits / 8;
  const data = Buffer.alloc(frames * channels * width);
  for (let place = 0; place < frames * channels; place++) {
    const angle = (2 * Math.PI * frequency * Math.floor(place / channels)) / rate;
    const value = level * Math.sin(angle);
    const at = place * width;
    if (kind === "float" && bits === 32) data.writeFloatLE(value, at);
    else if (kind === "float") data.writeDoubleLE(value, at);
    else if (bits === 8) data.writeUInt8(Math.round(value * 127) + 128, at);
    else data.writeIntLE(Math.round(value * (2 ** (bits - 1) - 1)), at, width);
  }
  const head = Buffer.alloc(44);
  head.write("RIFF", 0);
  head.writeUInt32LE(36 + data.length, 4);
  head.write("WAVEfmt ", 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(kind === "float" ? 3 : 1, 20);
  head.writeUInt16LE(channels, 22);
  head.writeUInt32LE(rate, 24);
  head.writeUInt32LE(rate * channels * width, 28);
  head.writeUInt16LE(channels * width, 32);
  head.writeUInt16LE(bits, 34);
  head.write("data", 36);
  head.writeUInt32LE(data.length, 40);
  return Buffer.concat([head, data]);
}

/** CRC-8 of RFC 9639, section 9.1.8. */
const checksum = (bytes: number[]): number => {
  let sum = 0;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = ((sum << 1) ^ (sum & 0x80 ? 0x07 : 0)) & 0xff;
  }
  return sum;
};

/** Silence as FLAC (RFC 9639, section 9): a frame of 192 samples for each rate, in tens of Hz. */
export function silentFlac(rates: number[]): Buffer {
  const frames = rates.map((rate) => {
    const header = [0xff, 0xf8, 0x1e, 0x08, 0x00, rate >> 8, rate & 0xff];
    // A constant subframe, and a checksum of the frame that decoders may ignore.
    return Buffer.from([...header, checksum(header), 0x00, 0x00, 0x00, 0x00, 0x00]);
  });
  const info = Buffer.alloc(38);
  info.set([0x80, 0x00, 0x00, 34]);
  return Buffer.concat([Buffer.from("fLaC"), info, ...frames]);
}

export async function collect(pieces: AsyncIterable<Float32Array>): Promise<Float32Array> {
  const all: Float32Array[] = [];
  for await (const piece of pieces) all.push(piece);
  const samples = new Float32Array(all.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of all) {
    samples.set(piece, at);
    at += piece.length;
  }
  return samples;
}

/** How much of a frequency is in samples at 16 kHz, as an amplitude. */
export function amplitudeAt(samples: Float32Array, frequency: number): number {
  let [sine, cosine] = [0, 0];
  for (const [place, sample] of samples.entries()) {
    const angle = (2 * Math.PI * frequency * place) / 16_000;
    sine += sample * Math.sin(angle);
    cosine += sample * Math.cos(angle);
  }
  return (2 * Math.hypot(sine, cosine)) / samples.length;
}

/** The loudest of 100, 110, … 2,000 Hz. */
export function dominantFrequency(samples: Float32Array): number {
  const frequencies = Array.from({ length: 191 }, (_, step) => 100 + step * 10);
  const loudness = frequencies.map((frequency) => amplitudeAt(samples, frequency));
  return frequencies[loudness.indexOf(Math.max(...loudness))]!;
}
