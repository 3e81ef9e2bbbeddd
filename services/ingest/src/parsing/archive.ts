import { isUtf8 } from "node:buffer";
import path from "node:path/posix";
import { crc32 } from "node:zlib";
import type { KnownFault } from "@carrel/contracts";
import { clipText } from "@carrel/contracts/clip-text";
import { fromBufferPromise, getFileNameLowLevel, type Entry, type ZipFile } from "yauzl";
import { decodeText } from "./decode-text.ts";
import { UnreadableError } from "./parsed-document.ts";

/** Signatures of a zip archive's end records. */
const endSignature = 0x06054b50;
const directorySignature = 0x02014b50;
const end64LocatorSignature = 0x07064b50;
const end64Signature = 0x06064b50;
const endLength = 22;
const end64LocatorLength = 20;
const end64Length = 56;
/** The largest comment; what follows it isn't part of the archive. */
const longestComment = 0xffff;
/** How far from its end the archive may end. Mail gateways add a signature, some writers padding. */
const longestTrailer = 256 * 1024;

/** Distance of the directory from where it says it is: the length of what precedes the archive. */
function shiftOf(bytes: Buffer, end: number): number | null {
  const size = bytes.readUInt32LE(end + 12);
  const offset = bytes.readUInt32LE(end + 16);
  if (size !== 0xffffffff && offset !== 0xffffffff) {
    const shift = end - size - offset;
    if (shift >= 0 && (size === 0 || bytes.readUInt32LE(end - size) === directorySignature))
      return shift;
  }
  const locator = end - end64LocatorLength;
  if (locator < end64Length || bytes.readUInt32LE(locator) !== end64LocatorSignature) return null;
  const record = locator - end64Length;
  if (bytes.readUInt32LE(record) !== end64Signature) return null;
  const shift = record - Number(bytes.readBigUInt64LE(locator + 8));
  return shift >= 0 ? shift : null;
}

/**
 * The archive within the bytes: without what precedes its first part and follows its end, as Word
 * accepts. Bytes without a directory are returned as they are.
 */
export function trimArchive(source: Uint8Array): Uint8Array {
  const bytes = Buffer.from(source.buffer, source.byteOffset, source.byteLength);
  const lowest = Math.max(0, bytes.length - endLength - longestComment - longestTrailer);
  for (let end = bytes.length - endLength; end >= lowest; end--) {
    if (bytes[end] !== 0x50 || bytes.readUInt32LE(end) !== endSignature) continue;
    const shift = shiftOf(bytes, end);
    if (shift === null) continue;
    const stop = end + endLength + bytes.readUInt16LE(end + 20);
    if (stop <= bytes.length) return source.subarray(shift, stop);
    // The comment is cut off, or its length was destroyed: the archive is whole without it.
    const copy = Buffer.from(bytes.subarray(shift, end + endLength));
    copy.writeUInt16LE(0, copy.length - 2);
    return copy;
  }
  return source;
}

/** Limit on the unpacked bytes read from one archive, far above real documents. */
const unpackedLimit = 150 * 1024 * 1024;
const maxEntries = 20_000;

/**
 * A zip archive in memory, read part by part. The declared unpacked size is counted before a part
 * is unpacked and checked while unpacking, so a zip bomb is stopped at the limit. `what` names the
 * kind of file in every reason.
 */
export class Archive {
  private unpacked = 0;
  /** Real names by lower-case name, since Office parts may be referred to in any case. */
  private readonly lowerCase: Map<string, string>;

  private constructor(
    readonly what: KnownFault,
    /** The archive itself, without anything before or after it. */
    readonly bytes: Uint8Array,
    private readonly zip: ZipFile,
    private readonly entries: Map<string, Entry>,
  ) {
    this.lowerCase = new Map([...entries.keys()].map((name) => [name.toLowerCase(), name]));
  }

  /**
   * Throws UnreadableError if the bytes are not an archive, are cut off, or hold more parts than
   * any document has.
   */
  static async open(source: Uint8Array, what: KnownFault): Promise<Archive> {
    const bytes = trimArchive(source);
    try {
      const zip = await fromBufferPromise(
        Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
        { lazyEntries: true, autoClose: false, validateEntrySizes: true, decodeStrings: false },
      );
      if (zip.entryCount > maxEntries)
        throw new UnreadableError({
          code: "file.too-many-parts",
          params: { what, limit: maxEntries },
        });
      const entries: Entry[] = [];
      for await (const entry of zip.eachEntry()) entries.push(entry);
      return new Archive(what, bytes, zip, nameEntries(entries));
    } catch (cause) {
      throw cause instanceof UnreadableError
        ? cause
        : new UnreadableError({ code: "file.damaged", params: { what } }, { cause });
    }
  }

  get names(): string[] {
    return [...this.entries.keys()];
  }

  has(name: string): boolean {
    return this.entries.has(name);
  }

  /** The name of the part that an address in the archive means: percent-encoded, in another case. */
  resolve(address: string): string {
    if (this.entries.has(address)) return address;
    let decoded = address;
    try {
      decoded = decodeURIComponent(address);
    } catch {
      // A name with a percent sign.
    }
    return this.lowerCase.get(decoded.toLowerCase()) ?? address;
  }

  /** The declared unpacked size. */
  sizeOf(name: string): number {
    return this.entries.get(name)?.uncompressedSize ?? 0;
  }

  /** Whether a part that isn't essential can be read within the limits. */
  fits(name: string, limit: number): boolean {
    const size = this.entries.get(name)?.uncompressedSize ?? Infinity;
    return size <= limit && this.unpacked + size <= unpackedLimit;
  }

  /**
   * Streams a part. Throws UnreadableError if it is missing, encrypted, damaged, or unpacks to too
   * much.
   */
  async *stream(name: string, isCounted = true): AsyncGenerator<Buffer> {
    const entry = this.entries.get(name);
    if (!entry)
      throw new UnreadableError({
        code: "file.part-missing",
        params: { what: this.what, part: clipText(name, 200) },
      });
    if (entry.isEncrypted())
      throw new UnreadableError({ code: "file.password-protected", params: { what: this.what } });
    const added = isCounted ? entry.uncompressedSize : 0;
    // Refused parts leave room for the others.
    if (this.unpacked + added > unpackedLimit)
      throw new UnreadableError({
        code: "file.unpacks-too-large",
        params: { what: this.what, megabytes: unpackedLimit / 1024 / 1024 },
      });
    this.unpacked += added;
    let sum = 0;
    try {
      for await (const piece of (await this.zip.openReadStreamPromise(
        entry,
      )) as AsyncIterable<Buffer>) {
        sum = crc32(piece, sum);
        yield piece;
      }
    } catch (cause) {
      throw cause instanceof UnreadableError
        ? cause
        : new UnreadableError({ code: "file.damaged", params: { what: this.what } }, { cause });
    }
    if (sum !== entry.crc32)
      throw new UnreadableError({ code: "file.damaged", params: { what: this.what } });
  }

  async read(name: string): Promise<Buffer> {
    return joined(this.stream(name));
  }

  /** A part that was read before and counts only once; not for parts that are read any number of times. */
  async readAgain(name: string): Promise<Buffer> {
    return joined(this.stream(name, false));
  }

  /** Counts and checks parts that a library unpacks itself. */
  async check(wanted: (name: string) => boolean): Promise<void> {
    for (const name of this.names) {
      if (!wanted(name)) continue;
      for await (const piece of this.stream(name)) void piece;
    }
  }
}

async function joined(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of stream) pieces.push(piece);
  return Buffer.concat(pieces);
}

const markedUtf8 = 0x800;
const unicodePath = 0x7075;
/** Systems whose programs write names in the code page of DOS. */
const dos = 0;

const newLine = Buffer.from("\n");

/** Whether the entry itself says how its name is encoded, or it can only be UTF-8. */
const isUnicode = ({ generalPurposeBitFlag, extraFields, fileNameRaw }: Entry): boolean =>
  (generalPurposeBitFlag & markedUtf8) !== 0 ||
  extraFields.some(({ id }) => id === unicodePath) ||
  isUtf8(fileNameRaw);

/** The encoding of names that aren't UTF-8, by what all of them read like together. */
function guessNames(entries: readonly Entry[]): string {
  const names = Buffer.concat(entries.flatMap(({ fileNameRaw }) => [fileNameRaw, newLine]));
  const { encoding } = decodeText(names);
  // Without other evidence, a single word of a Western language is in the code page of its system.
  const isWestern =
    encoding === "Windows-1252" && entries.every((e) => e.versionMadeBy >> 8 === dos);
  return isWestern && !/[^\p{ASCII}\p{L}]/u.test(decodeText(names, { chosen: "CP850" }).text)
    ? "CP850"
    : encoding;
}

/**
 * The entries of an archive by their names, with `/` between folders and never above the archive's
 * own folder. macOS writes UTF-8 without saying so, Windows the code page of its country.
 */
function nameEntries(entries: readonly Entry[]): Map<string, Entry> {
  const unmarked = entries.filter((entry) => !isUnicode(entry));
  const chosen = unmarked.length > 0 ? guessNames(unmarked) : null;
  const legacy = new Set(unmarked);
  const named = new Map<string, Entry>();
  for (const entry of entries) {
    const { fileNameRaw, extraFields } = entry;
    const name = legacy.has(entry)
      ? decodeText(fileNameRaw, { chosen }).text
      : getFileNameLowLevel(markedUtf8, fileNameRaw, extraFields, true);
    const clean = path
      .normalize(`/${name.replaceAll("\\", "/").replace(/^[a-z]:\//i, "")}`)
      .slice(1);
    if (clean !== "") named.set(clean, entry);
  }
  return named;
}
