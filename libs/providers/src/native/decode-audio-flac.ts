import type { AudioPiece } from "./decoded-audio.ts";

/*
 * FLAC as in RFC 9639, section 9. Our own, because the maintained decoders are under the LGPL or
 * depend on packages that are. Frames are decoded one by one: a frame of a few bytes may hold 65,536
 * samples.
 */

const rates = [
  0, 88_200, 176_400, 192_000, 8_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 96_000,
];
const widths = [0, 8, 12, 0, 16, 20, 24, 32];
const fixedCoefficients = [[], [1], [2, -1], [3, -3, 1], [4, -6, 4, -1]];

interface FrameHeader {
  size: number;
  rate: number;
  /** Up to 7: that many channels plus one; 8 to 10: stereo stored as a difference. */
  assignment: number;
  bits: number;
}
type StreamInfo = Pick<FrameHeader, "rate" | "bits">;

function checksum(bytes: Uint8Array): number {
  let sum = 0;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = ((sum << 1) ^ (sum & 0x80 ? 0x07 : 0)) & 0xff;
  }
  return sum;
}

/** Null if no frame starts here. */
function readFrameHeader(
  bytes: Uint8Array,
  start: number,
  input: BitReader,
  info: StreamInfo,
): FrameHeader | null {
  if (input.read(15) !== 0x7ffc) return null;
  input.read(1);
  const [sizeCode, rateCode] = [input.read(4), input.read(4)];
  const [assignment, widthCode] = [input.read(4), input.read(3)];
  input.read(1);
  let more = Math.clz32(~(input.read(8) << 24)) - 1; // of the frame's number, as in UTF-8
  for (; more > 0; more--) input.read(8);
  const size =
    sizeCode === 1
      ? 192
      : sizeCode < 6
        ? 576 << (sizeCode - 2)
        : sizeCode < 8
          ? input.read(sizeCode === 6 ? 8 : 16) + 1
          : 256 << (sizeCode - 8);
  const rate =
    rateCode === 12
      ? input.read(8) * 1_000
      : rateCode === 13
        ? input.read(16)
        : rateCode === 14
          ? input.read(16) * 10
          : rates[rateCode] || info.rate;
  const end = input.align();
  const bits = widths[widthCode] || info.bits;
  if (input.read(8) !== checksum(bytes.subarray(start, end))) return null;
  return sizeCode === 0 || assignment > 10 ? null : { size, rate, assignment, bits };
}

function readResiduals(input: BitReader, samples: Float64Array, order: number): void {
  const parameterBits = input.read(2) === 0 ? 4 : 5;
  const partitions = 2 ** input.read(4);
  const length = samples.length / partitions;
  for (let partition = 0; partition < partitions; partition++) {
    const parameter = input.read(parameterBits);
    const first = partition === 0 ? order : partition * length;
    const end = (partition + 1) * length;
    if (parameter === 2 ** parameterBits - 1) {
      const bits = input.read(5);
      for (let place = first; place < end; place++) samples[place] = input.readSigned(bits);
      continue;
    }
    for (let place = first; place < end; place++) {
      const folded = input.readUnary() * 2 ** parameter + input.read(parameter);
      samples[place] = folded % 2 === 0 ? folded / 2 : -(folded + 1) / 2;
    }
  }
}

function predict(samples: Float64Array, coefficients: readonly number[], shift: number): void {
  const order = coefficients.length;
  for (let place = order; place < samples.length; place++) {
    let sum = 0;
    for (let back = 0; back < order; back++)
      sum += coefficients[back]! * samples[place - 1 - back]!;
    samples[place]! += Math.floor(sum / 2 ** shift);
  }
}

function readSubframe(input: BitReader, size: number, width: number): Float64Array {
  const type = input.read(7);
  const wasted = input.read(1) === 1 ? input.readUnary() + 1 : 0;
  const bits = width - wasted;
  if (bits < 1 || bits > 33) throw new RangeError("a subframe is damaged");
  const samples = new Float64Array(size);
  const readRaw = (count: number): void => {
    for (let place = 0; place < count; place++) samples[place] = input.readSigned(bits);
  };
  if (type === 0) samples.fill(input.readSigned(bits));
  else if (type === 1) readRaw(size);
  else if (type >= 8 && type <= 12) {
    readRaw(type - 8);
    readResiduals(input, samples, type - 8);
    predict(samples, fixedCoefficients[type - 8]!, 0);
  } else if (type >= 32) {
    const order = type - 31;
    readRaw(order);
    const precision = input.read(4) + 1;
    const shift = input.readSigned(5);
    const coefficients = Array.from({ length: order }, () => input.readSigned(precision));
    readResiduals(input, samples, order);
    predict(samples, coefficients, shift);
  } else throw new RangeError("a subframe is of an unknown type");
  return wasted === 0 ? samples : samples.map((sample) => sample * 2 ** wasted);
}

/** Stereo is stored as left or right plus the difference, or as the middle and the difference. */
function separate(assignment: number, [one, other]: Float64Array[]): Float64Array[] {
  if (assignment === 8) return [one!, one!.map((left, place) => left - other![place]!)];
  if (assignment === 9) return [one!.map((side, place) => side + other![place]!), other!];
  // The middle lost its lowest bit, which equals the difference's.
  const double = one!.map((middle, place) => middle * 2 + Math.abs(other![place]! % 2));
  return [1, -1].map((sign) => double.map((sum, place) => (sum + sign * other![place]!) / 2));
}

function readFrame(input: BitReader, { size, rate, assignment, bits }: FrameHeader): AudioPiece {
  const isDifference = assignment > 7;
  const side = assignment === 9 ? 0 : 1;
  const stored = Array.from({ length: isDifference ? 2 : assignment + 1 }, (_, channel) =>
    readSubframe(input, size, isDifference && channel === side ? bits + 1 : bits),
  );
  const channels = isDifference ? separate(assignment, stored) : stored;
  const scale = 2 ** (bits - 1);
  return { rate, channels: channels.map((each) => Float32Array.from(each, (s) => s / scale)) };
}

/** The position of the first frame, and values that frames may omit. */
function readMetadata(bytes: Uint8Array): { at: number; info: StreamInfo } {
  const info = { rate: 0, bits: 16 };
  for (let at = 4; at + 4 <= bytes.length;) {
    const input = createBitReader(bytes, at);
    const [isLast, type, size] = [input.read(1), input.read(7), input.read(24)];
    if (type === 0 && at + 22 <= bytes.length) {
      const stream = createBitReader(bytes, at + 14);
      info.rate = stream.read(20);
      stream.read(3);
      info.bits = stream.read(5) + 1;
    }
    at += 4 + size;
    if (isLast === 1) return { at, info };
  }
  return { at: bytes.length, info };
}

/** Decodes all frames; after a damaged one, continues with the next. */
export function* decodeFlac(bytes: Uint8Array): Generator<AudioPiece> {
  const { at: first, info } = readMetadata(bytes);
  for (let at = first; at < bytes.length;) {
    at = bytes.indexOf(0xff, at);
    if (at < 0) return;
    let piece: AudioPiece | null = null;
    let end = at + 1;
    try {
      const input = createBitReader(bytes, at);
      const header = readFrameHeader(bytes, at, input, info);
      if (header !== null) {
        piece = readFrame(input, header);
        end = input.align() + 2; // after the frame's checksum
      }
    } catch (fault) {
      if (!(fault instanceof RangeError)) throw fault;
    }
    if (piece !== null) yield piece;
    at = end;
  }
}

/** Reads bits, most significant first. Throws RangeError at the end. */
interface BitReader {
  /** Up to 36 bits. */
  read(bits: number): number;
  readSigned(bits: number): number;
  /** The number of zeros before the next one. */
  readUnary(): number;
  /** Skips to the next whole byte and returns its position. */
  align(): number;
}

function createBitReader(bytes: Uint8Array, start: number): BitReader {
  let position = start;
  let left = 8; // bits of the current byte
  const current = (): number => {
    if (position >= bytes.length) throw new RangeError("the file ends early");
    return bytes[position]! & ((1 << left) - 1);
  };
  const use = (bits: number): void => {
    left -= bits;
    if (left > 0) return;
    position++;
    left = 8;
  };
  const read = (bits: number): number => {
    let value = 0;
    for (let missing = bits; missing > 0;) {
      const taken = Math.min(left, missing);
      value = value * 2 ** taken + (current() >> (left - taken));
      use(taken);
      missing -= taken;
    }
    return value;
  };
  return {
    read,
    readSigned(bits) {
      const value = read(bits);
      return bits > 0 && value >= 2 ** (bits - 1) ? value - 2 ** bits : value;
    },
    readUnary() {
      let zeros = 0;
      for (;;) {
        const value = current();
        if (value === 0) {
          zeros += left;
          use(left);
          continue;
        }
        const before = Math.clz32(value) - (32 - left);
        use(before + 1);
        return zeros + before;
      }
    },
    align() {
      if (left < 8) use(left);
      return position;
    },
  };
}
