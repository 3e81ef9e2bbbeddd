import { isUtf8 } from "node:buffer";

/** Browsers look no further for the declaration. */
const declaredWithin = 4_096;

const charsetIn = (text: string): string | null =>
  /charset\s*=\s*["']?\s*([\w.:-]{2,40})/i.exec(text)?.[1] ?? null;

/** A page's own declaration. */
function declared(body: Buffer): string | null {
  const head = body.subarray(0, declaredWithin).toString("latin1");
  const xml = /^\s*<\?xml[^>]{0,200}encoding\s*=\s*["']([\w.:-]{2,40})["']/.exec(head)?.[1];
  if (xml !== undefined) return xml;
  const meta = /<meta\b[^>]{0,500}charset[^>]{0,200}>/i.exec(head)?.[0];
  return meta === undefined ? null : charsetIn(meta);
}

/**
 * A page's text, as browsers decode it: by its byte order mark, the response's header, its own
 * declaration, or else as Windows-1252. What is valid UTF-8 is read as that, because servers state
 * other encodings unasked.
 */
export function decodePage(body: Buffer, contentType: string | null): string {
  const mark = body.subarray(0, 2).toString("hex");
  if (mark === "fffe") return new TextDecoder("utf-16le").decode(body);
  if (mark === "feff") return new TextDecoder("utf-16be").decode(body);
  if (isUtf8(body)) return new TextDecoder().decode(body);
  for (const label of [charsetIn(contentType ?? ""), declared(body)]) {
    // The page can't be UTF-16 if its declaration was read as single bytes.
    if (label === null || /^utf-?(?:8|16)/i.test(label)) continue;
    try {
      return new TextDecoder(label).decode(body);
    } catch {
      // An encoding that nobody knows.
    }
  }
  return new TextDecoder("windows-1252").decode(body);
}
