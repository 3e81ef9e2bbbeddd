import path from "node:path";
import { Readable } from "node:stream";
import { clipText, type KnownFault } from "@carrel/contracts";

/** Pictures, recordings, programs and archives, which are recognised by their names alone. */
const binaryExtensions = new Set(
  `7z a avi avif bin bmp bz2 class com dat db dll dmg dylib eot exe flac gif gz ico icns iso jar jpeg
  jpg keystore lib lz4 m4a m4v mkv mo mov mp3 mp4 mpeg mpg o obj ogg onnx opus otf parquet pack pdb png
  pt psd pyc pyd rar so sqlite sqlite3 svg svgz swf tar tgz tif tiff ttf war wasm wav webm webp whl
  wmv woff woff2 xz zip zst`.split(/\s+/),
);
/** Binary files that ingest reads. */
const documentExtensions = new Set([
  ...["pdf", "docx", "pptx", "xlsx", "odt", "odp", "ods", "epub", "rtf"],
]);

const extensionOf = (name: string): string =>
  path.posix.extname(name.toLowerCase().slice(-20)).slice(1);

export const isBinaryName = (name: string): boolean => binaryExtensions.has(extensionOf(name));

const maxName = 200;

/** The last part of a path, as ingest takes it. */
export function toFilename(filePath: string): string {
  const name = filePath.slice(filePath.lastIndexOf("/") + 1);
  if (name.length <= maxName) return name;
  const extension = extensionOf(name);
  return `${clipText(name, maxName - 20)}${extension && `.${extension}`}`;
}

/** Where git itself looks for null characters. */
const headBytes = 8_000;
const lfsPointer = "version https://git-lfs.github.com/spec/v1\n";

/** Reads the beginning of a file; null if its content is wanted, else why not. */
export async function inspectContent(
  filePath: string,
  body: Readable,
): Promise<{ body: Readable; skip: KnownFault | null }> {
  const pieces = body[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  const read: Buffer[] = [];
  let bytes = 0;
  let isEnd = false;
  while (bytes < headBytes && !isEnd) {
    const { value, done } = await pieces.next();
    if (done) isEnd = true;
    else {
      read.push(value);
      bytes += value.length;
    }
  }
  const head = Buffer.concat(read);
  const whole = Readable.from(
    (async function* () {
      if (head.length > 0) yield head;
      if (!isEnd) yield* { [Symbol.asyncIterator]: () => pieces };
    })(),
    { objectMode: false },
  );
  // Also if nobody begins to read it.
  whole.on("close", () => body.destroy());
  return { body: whole, skip: findFault(filePath, head.subarray(0, headBytes)) };
}

function findFault(filePath: string, head: Buffer): KnownFault | null {
  if (head.length < 1_024 && head.toString("latin1").startsWith(lfsPointer))
    return { code: "source.lfs-pointer" };
  const isWide = (head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff);
  const isBinary = head.includes(0) && !isWide && !documentExtensions.has(extensionOf(filePath));
  return isBinary ? { code: "source.binary" } : null;
}
