import { CarrelError, clipText, pluginLimits } from "@carrel/contracts";
import { fromBufferPromise, type Entry } from "yauzl";

const fileType = 0o170_000;
const plainFile = 0o100_000;
const folder = 0o040_000;
/** Those of systems, not of plugins. */
const ignored = /(^|\/)(__MACOSX|\.git)\/|(^|\/)(\.DS_Store|Thumbs\.db)$/;

const tooLarge = (): CarrelError =>
  new CarrelError("plugin.too-large", { megabytes: pluginLimits.bytes / 1_000_000 });

/**
 * The files of a plugin's zip archive, by path. What they unpack to is counted before and while they
 * are unpacked. A folder that holds everything is left out. Throws CarrelError.
 */
export async function unpackPlugin(zip: Buffer): Promise<Map<string, Uint8Array>> {
  const opened = await fromBufferPromise(zip, {
    lazyEntries: true,
    validateEntrySizes: true,
    // Names are checked with the plugin's other names.
    decodeStrings: true,
    strictFileNames: true,
  }).catch((cause: unknown) => {
    throw new CarrelError("plugin.zip-invalid", {}, { cause });
  });
  // With its folders, and files that are ignored.
  if (opened.entryCount > pluginLimits.files * 2)
    throw new CarrelError("plugin.too-many-files", { limit: pluginLimits.files });
  const files = new Map<string, Uint8Array>();
  let size = 0;
  try {
    for await (const entry of opened.eachEntry()) {
      const name = entry.fileName;
      requirePlain(entry);
      if (name.endsWith("/") || ignored.test(name)) continue;
      if (files.has(name))
        throw new CarrelError("plugin.file-name-taken", { file: clipText(name, 100) });
      if (entry.isEncrypted() || size + entry.uncompressedSize > pluginLimits.bytes)
        throw entry.isEncrypted() ? new CarrelError("plugin.zip-invalid") : tooLarge();
      const pieces: Buffer[] = [];
      const stream = (await opened.openReadStreamPromise(entry)) as AsyncIterable<Buffer>;
      for await (const piece of stream) {
        size += piece.length;
        if (size > pluginLimits.bytes) throw tooLarge();
        pieces.push(piece);
      }
      files.set(name, Buffer.concat(pieces));
    }
  } catch (cause) {
    throw cause instanceof CarrelError ? cause : readFault(cause);
  }
  return withoutOuterFolder(files);
}

/** Links could lead out of the plugin, and special files do something when they are read. */
function requirePlain({ externalFileAttributes, fileName, versionMadeBy }: Entry): void {
  const isUnix = versionMadeBy >> 8 === 3;
  const type = (externalFileAttributes >>> 16) & fileType;
  if (isUnix && type !== 0 && type !== plainFile && type !== folder)
    throw new CarrelError("plugin.file-not-plain", { file: clipText(fileName, 100) });
}

/** yauzl refuses names that lead out of the archive. */
function readFault(cause: unknown): CarrelError {
  const [, file] =
    /^(?:absolute path|invalid relative path|invalid characters in fileName): (.*)$/s.exec(
      cause instanceof Error ? cause.message : "",
    ) ?? [];
  return file === undefined
    ? new CarrelError("plugin.zip-invalid", {}, { cause })
    : new CarrelError("plugin.file-name-invalid", { file: clipText(file, 100) }, { cause });
}

function withoutOuterFolder(files: Map<string, Uint8Array>): Map<string, Uint8Array> {
  const [first] = files.keys();
  const outer = first?.slice(0, first.indexOf("/") + 1) ?? "";
  const isOuter = outer !== "" && [...files.keys()].every((name) => name.startsWith(outer));
  return !isOuter || files.has("plugin.json")
    ? files
    : new Map([...files].map(([name, bytes]) => [name.slice(outer.length), bytes]));
}
