import { open, type FileHandle } from "node:fs/promises";

/** A value of a GGUF file's metadata; arrays are left out, except for their length. */
type GgufValue = string | number | boolean;

/** What the beginning of a GGUF file says about the model. */
export interface GgufHeader {
  metadata: ReadonlyMap<string, GgufValue>;
  parameters: number;
  /** Minimum size of the complete file, in bytes. */
  minimumBytes: number;
}

/** The file isn't a GGUF file, or its header is damaged. */
export class GgufFormatError extends Error {}

const chunkBytes = 1024 * 1024;
/** Vocabularies and their merges take up to 20 MB. */
const longestHeader = 64 * 1024 * 1024;
const longestText = 4 * 1024 * 1024;

/** Value types of the format (ggml-org/ggml, docs/gguf.md). */
const type = { bool: 7, string: 8, array: 9 } as const;
const sizes: Readonly<Record<number, number>> = {
  0: 1,
  1: 1,
  2: 2,
  3: 2,
  4: 4,
  5: 4,
  6: 4,
  7: 1,
  10: 8,
  11: 8,
  12: 8,
};

/** Bytes of a block and its number of values, by tensor type (ggml-org/ggml, ggml-common.h). */
const blocks: Readonly<Record<number, readonly [bytes: number, values: number]>> = {
  0: [4, 1], // F32
  1: [2, 1], // F16
  2: [18, 32], // Q4_0
  3: [20, 32], // Q4_1
  6: [22, 32], // Q5_0
  7: [24, 32], // Q5_1
  8: [34, 32], // Q8_0
  10: [84, 256], // Q2_K
  11: [110, 256], // Q3_K
  12: [144, 256], // Q4_K
  13: [176, 256], // Q5_K
  14: [210, 256], // Q6_K
  16: [66, 256], // IQ2_XXS
  17: [74, 256], // IQ2_XS
  18: [98, 256], // IQ3_XXS
  19: [50, 256], // IQ1_S
  20: [18, 32], // IQ4_NL
  21: [110, 256], // IQ3_S
  22: [82, 256], // IQ2_S
  23: [136, 256], // IQ4_XS
  29: [56, 256], // IQ1_M
  30: [2, 1], // BF16
  34: [54, 256], // TQ1_0
  35: [66, 256], // TQ2_0
  39: [17, 32], // MXFP4
};
/** Where tensors begin, unless the metadata says otherwise. */
const usualAlignment = 32;

/** Reads a file from its start, in chunks. */
class ChunkReader {
  private chunk = Buffer.alloc(0);
  private at = 0;
  private end = 0;
  constructor(private readonly file: FileHandle) {}

  get left(): number {
    return this.chunk.length - this.at;
  }

  /** Offset of the next byte in the file. */
  get position(): number {
    return this.end - this.left;
  }

  /** Makes this many bytes available. */
  async fill(bytes: number): Promise<void> {
    if (bytes > longestText) throw new GgufFormatError("a value is too long");
    while (this.left < bytes) {
      if (this.end > longestHeader) throw new GgufFormatError("the header is too long");
      const next = Buffer.alloc(chunkBytes);
      const { bytesRead } = await this.file.read(next, 0, chunkBytes, this.end);
      if (bytesRead === 0) throw new GgufFormatError("the file ends within its header");
      this.end += bytesRead;
      this.chunk = Buffer.concat([this.chunk.subarray(this.at), next.subarray(0, bytesRead)]);
      this.at = 0;
    }
  }

  async skip(bytes: number): Promise<void> {
    if (bytes > longestHeader) throw new GgufFormatError("a value is too long");
    for (let rest = bytes; rest > 0;) {
      if (this.left === 0) await this.fill(1);
      const step = Math.min(rest, this.left);
      this.at += step;
      rest -= step;
    }
  }

  take(bytes: number): Buffer {
    this.at += bytes;
    return this.chunk.subarray(this.at - bytes, this.at);
  }
}

async function readNumber(reader: ChunkReader, kind: number): Promise<number> {
  const size = sizes[kind];
  if (size === undefined) throw new GgufFormatError(`unknown value type ${kind}`);
  if (reader.left < size) await reader.fill(size);
  const bytes = reader.take(size);
  switch (kind) {
    case 1:
      return bytes.readInt8();
    case 2:
      return bytes.readUInt16LE();
    case 3:
      return bytes.readInt16LE();
    case 4:
      return bytes.readUInt32LE();
    case 5:
      return bytes.readInt32LE();
    case 6:
      return bytes.readFloatLE();
    case 10:
      return Number(bytes.readBigUInt64LE());
    case 11:
      return Number(bytes.readBigInt64LE());
    case 12:
      return bytes.readDoubleLE();
    default:
      return bytes.readUInt8();
  }
}
const readCount = (reader: ChunkReader): Promise<number> => readNumber(reader, 10);
const readInteger = (reader: ChunkReader): Promise<number> => readNumber(reader, 4);

async function readText(reader: ChunkReader): Promise<string> {
  const length = await readCount(reader);
  if (reader.left < length) await reader.fill(length);
  return reader.take(length).toString();
}

/** Skips an array's values, which can be vocabularies, and returns how many there are. */
async function skipArray(reader: ChunkReader): Promise<number> {
  const kind = await readInteger(reader);
  const count = await readCount(reader);
  if (kind === type.array) for (let n = 0; n < count; n++) await skipArray(reader);
  else if (kind === type.string)
    for (let n = 0; n < count; n++) {
      // Hundreds of thousands of texts: each `await` counts.
      if (reader.left < 8) await reader.fill(8);
      const length = Number(reader.take(8).readBigUInt64LE());
      if (reader.left >= length) reader.take(length);
      else await reader.skip(length);
    }
  else await reader.skip(count * (sizes[kind] ?? Infinity));
  return count;
}

async function readValue(reader: ChunkReader): Promise<GgufValue> {
  const kind = await readInteger(reader);
  if (kind === type.string) return readText(reader);
  if (kind === type.array) return skipArray(reader);
  const value = await readNumber(reader, kind);
  return kind === type.bool ? value !== 0 : value;
}

interface Tensors {
  parameters: number;
  /** From the start of the first tensor to the end of the last. */
  bytes: number;
}

async function readTensors(reader: ChunkReader, count: number): Promise<Tensors> {
  let parameters = 0;
  let bytes = 0;
  for (let n = 0; n < count; n++) {
    await readText(reader);
    let elements = 1;
    const dimensions = await readInteger(reader);
    for (let dimension = 0; dimension < dimensions; dimension++)
      elements *= await readCount(reader);
    const [blockBytes, values] = blocks[await readInteger(reader)] ?? [0, 1];
    const offset = await readCount(reader);
    parameters += elements;
    bytes = Math.max(bytes, offset + Math.floor(elements / values) * blockBytes);
  }
  return { parameters, bytes };
}

/** Reads only the header: a few MB of files of many GB. Throws GgufFormatError. */
export async function readGgufHeader(path: string): Promise<GgufHeader> {
  const file = await open(path);
  try {
    const reader = new ChunkReader(file);
    await reader.fill(8);
    if (reader.take(4).toString("latin1") !== "GGUF") throw new GgufFormatError("not a GGUF file");
    const version = await readInteger(reader);
    if (version < 2 || version > 3) throw new GgufFormatError(`unknown version ${version}`);
    const tensors = await readCount(reader);
    const entries = await readCount(reader);
    const metadata = new Map<string, GgufValue>();
    for (let n = 0; n < entries; n++) {
      const key = await readText(reader);
      metadata.set(key, await readValue(reader));
    }
    const { parameters, bytes } = await readTensors(reader, tensors);
    const given = metadata.get("general.alignment");
    const alignment = typeof given === "number" && given > 0 ? given : usualAlignment;
    const start = Math.ceil(reader.position / alignment) * alignment;
    return { metadata, parameters, minimumBytes: bytes === 0 ? 0 : start + bytes };
  } finally {
    await file.close();
  }
}
