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
