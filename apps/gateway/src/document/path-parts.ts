import { clipText } from "@carrel/contracts";

const forbidden = /[<>:"/\\|?*\u201c\u201d\u2018\u2019]/g;
const longestBytes = 255;
/** Maximum length of a name as sent; only its end is read, which names the file in a path. */
const longestSent = 4_096;

/**
 * Cleans a user-supplied file name (wire-contract 6.1): repairs UTF-8 decoded as latin1 and removes
 * path, quote and control characters. It is shown and searched, never used as a path.
 */
export function cleanFileName(name: string): string {
  const last = fixEncoding(name.slice(-longestSent)).split(/[\\/]/).at(-1) ?? "";
  const clean = last
    .replace(forbidden, "")
    .replace(/\p{Cc}/gu, "")
    .normalize("NFC")
    .trim()
    .replace(/^\.+/, "");
  return shorten(clean) || "file";
}

/**
 * Multipart headers carry bytes; if they were read as latin1 but are valid UTF-8, decode them
 * again.
 */
function fixEncoding(name: string): string {
  const codes = [...name].map((letter) => letter.codePointAt(0)!);
  if (codes.every((code) => code < 0x80) || codes.some((code) => code > 0xff)) return name;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(name, "latin1"));
  } catch {
    // It was latin1 after all.
    return name;
  }
}

/** Shortens to at most 255 bytes and keeps the extension. */
function shorten(name: string): string {
  if (Buffer.byteLength(name) <= longestBytes) return name;
  const extension = /\.[^.]{1,20}$/.exec(name)?.[0] ?? "";
  const stem = name.slice(0, name.length - extension.length);
  const room = Buffer.alloc(longestBytes - Buffer.byteLength(extension));
  // Writes whole code points only.
  const fitting = room.toString("utf8", 0, room.write(stem));
  return clipText(stem, fitting.length) + extension;
}

/** Maximum bytes of paths in one request between services, which is limited to 256 kB in total. */
const bytesAtOnce = 180_000;

/**
 * Splits a list into parts that fit into one request each; lazily, because measuring 50,000 paths
 * at once would hold up other requests.
 */
export function* splitPaths<Item>(items: readonly Item[], most: number): Generator<Item[]> {
  let part: Item[] = [];
  let bytes = 0;
  for (const item of items) {
    const size = Buffer.byteLength(JSON.stringify(item)) + 1;
    if (part.length > 0 && (part.length === most || bytes + size > bytesAtOnce)) {
      yield part;
      part = [];
      bytes = 0;
    }
    part.push(item);
    bytes += size;
  }
  if (part.length > 0) yield part;
}
