import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import { CarrelError } from "@carrel/contracts";
import { fromBufferPromise, getFileNameLowLevel, type Entry, type ZipFile } from "yauzl";
import {
  BundleFiles,
  bundleLimits,
  checkPath,
  refusedFile,
  tooLarge,
  type BundleFile,
} from "./bundle-files.ts";

const markedUtf8 = 0x800;
/** What made the entry tells what its attributes are. */
const unix = 3;
const macOs = 19;
const typeMask = 0o170_000;
const fileType = 0o100_000;
const folderType = 0o040_000;
/** Text doesn't compress better; small files may. */
const maxRatio = 200;
const freeBytes = 100_000;

/**
 * The files of a downloaded skill, in memory: nothing is written, and nothing is taken for a path.
 * Throws CarrelError for archives that are damaged, too large, or try to lead elsewhere.
 */
export async function readBundle(zip: Buffer, sha256: string | null): Promise<BundleFile[]> {
  if (zip.length > bundleLimits.zipBytes) throw tooLarge();
  if (sha256 !== null && createHash("sha256").update(zip).digest("hex") !== sha256)
    throw new CarrelError("hub.checksum-wrong");
  const files = new BundleFiles();
  try {
    const archive = await fromBufferPromise(zip, {
      lazyEntries: true,
      autoClose: false,
      validateEntrySizes: true,
      decodeStrings: false,
    });
    // Folders are entries as well.
    if (archive.entryCount > 2 * bundleLimits.files)
      throw new CarrelError("hub.bundle-too-many-files", { limit: bundleLimits.files });
    for await (const entry of archive.eachEntry()) {
      const path = readPath(entry);
      if (path.endsWith("/")) {
        checkPath(path.slice(0, -1));
        continue;
      }
      files.reserve(path, entry.uncompressedSize);
      files.add(path, await readContent(archive, entry));
    }
  } catch (cause) {
    if (cause instanceof CarrelError) throw cause;
    throw new CarrelError("hub.bundle-damaged", {}, { cause });
  }
  return files.finish();
}

/** Ends with a slash for folders. Refuses links, devices and what is encrypted. */
function readPath(entry: Entry): string {
  const { generalPurposeBitFlag, fileNameRaw, extraFields, versionMadeBy } = entry;
  const path = getFileNameLowLevel(
    generalPurposeBitFlag | markedUtf8,
    fileNameRaw,
    extraFields,
    true,
  );
  const made = versionMadeBy >> 8;
  const type =
    made === unix || made === macOs ? (entry.externalFileAttributes >>> 16) & typeMask : 0;
  const isFolder = path.endsWith("/");
  if (type !== 0 && type !== (isFolder ? folderType : fileType)) throw refusedFile(path);
  if (entry.isEncrypted()) throw refusedFile(path);
  const { compressedSize, uncompressedSize } = entry;
  if (isFolder && uncompressedSize > 0) throw refusedFile(path);
  if (uncompressedSize > freeBytes && uncompressedSize > compressedSize * maxRatio)
    throw tooLarge();
  return path;
}

async function readContent(archive: ZipFile, entry: Entry): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let sum = 0;
  const body = (await archive.openReadStreamPromise(entry)) as AsyncIterable<Buffer>;
  for await (const piece of body) {
    sum = crc32(piece, sum);
    pieces.push(piece);
  }
  if (sum !== entry.crc32) throw new CarrelError("hub.bundle-damaged");
  return Buffer.concat(pieces);
}
