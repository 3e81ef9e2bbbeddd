/** A piece of RTF. Text and bytes are in the encoding of the font that is in use there. */
export type RtfToken =
  | { kind: "word"; name: string; parameter: number | null }
  | { kind: "symbol"; symbol: string }
  | { kind: "byte"; byte: number }
  | { kind: "text"; text: string }
  | { kind: "open" }
  | { kind: "close" };

const token =
  /\\([a-z]{1,40})(-?\d{1,10})? ?|\\'([0-9a-f]{2})|\\([\s\S])|([{}])|[\r\n\0]+|[^\\{}\r\n\0]+|\\/giy;

/** The pieces of an RTF file, without the raw bytes of its pictures. */
export function* readRtf(bytes: Uint8Array): Generator<RtfToken> {
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  token.lastIndex = 0;
  for (let at = 0; at < source.length;) {
    token.lastIndex = at;
    const [all, name, digits, hex, symbol, brace] = token.exec(source)!;
    at = token.lastIndex;
    if (name !== undefined) {
      const parameter = digits === undefined ? null : Number(digits);
      if (name === "bin") at += Math.max(0, parameter ?? 0);
      else yield { kind: "word", name, parameter };
    } else if (hex !== undefined) yield { kind: "byte", byte: parseInt(hex, 16) };
    else if (symbol !== undefined) yield { kind: "symbol", symbol };
    else if (brace !== undefined) yield { kind: brace === "{" ? "open" : "close" };
    else if (!/^[\r\n\0\\]/.test(all)) yield { kind: "text", text: all };
  }
}
