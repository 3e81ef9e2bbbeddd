import iconv from "iconv-lite";

/** Code pages by the character sets of fonts (RTF specification 1.9.1, \fcharset). */
const charsets = new Map<number, number>([
  [77, 10_000],
  [78, 932],
  [79, 949],
  [80, 936],
  [81, 950],
  [83, 1255],
  [84, 1256],
  [85, 1253],
  [86, 1254],
  [88, 10_029],
  [89, 10_007],
  [128, 932],
  [129, 949],
  [130, 1361],
  [134, 936],
  [136, 950],
  [161, 1253],
  [162, 1254],
  [163, 1258],
  [177, 1255],
  [178, 1256],
  [186, 1257],
  [204, 1251],
  [222, 874],
  [238, 1250],
  [254, 437],
  [255, 850],
]);
const symbolCharset = 2;
/** Names of code pages that aren't `windows-…`. */
const labels = new Map<number, string>([
  [866, "ibm866"],
  [874, "windows-874"],
  [932, "shift_jis"],
  [936, "gbk"],
  [949, "euc-kr"],
  [950, "big5"],
  [10_000, "macintosh"],
  [10_001, "shift_jis"],
  [10_007, "x-mac-cyrillic"],
  [20_866, "koi8-r"],
  [21_866, "koi8-u"],
  [54_936, "gb18030"],
  [65_001, "utf-8"],
]);
/** Names in iconv-lite, for what the Encoding Standard lacks. */
const others = new Map<number, string>([
  [10_006, "macgreek"],
  [10_029, "maccenteuro"],
  [10_079, "maciceland"],
  [10_081, "macturkish"],
]);
/** Bullets and ticks of symbol fonts. */
const symbols = new Map([
  [0xa7, "▪"],
  [0xa8, "☐"],
  [0xb7, "•"],
  [0xd8, "➢"],
  [0xfc, "✓"],
  [0xfe, "☒"],
]);

type RtfDecoder = (bytes: string) => string;

const toBytes = (text: string): Buffer => Buffer.from(text, "latin1");

const decodeSymbols: RtfDecoder = (bytes) =>
  bytes.replace(/[\x80-\xff]/g, (byte) => symbols.get(byte.charCodeAt(0)) ?? byte);

function makeDecoder(codePage: number): RtfDecoder | null {
  const iconvName = others.get(codePage) ?? `cp${codePage}`;
  try {
    const decoder = new TextDecoder(labels.get(codePage) ?? `windows-${codePage}`);
    return (bytes) => decoder.decode(toBytes(bytes));
  } catch {
    return iconv.encodingExists(iconvName)
      ? (bytes) => iconv.decode(toBytes(bytes), iconvName)
      : null;
  }
}

/** What is known of a font. */
export interface RtfFont {
  charset: number | null;
  codePage: number | null;
}

/** Chooses how bytes are decoded: by their font, or by the file's own code page. */
export class RtfEncodings {
  private readonly decoders = new Map<number, RtfDecoder>();
  /** The file's code page. */
  codePage = 1252;

  decoderOf(font: RtfFont | undefined): RtfDecoder {
    if (font?.charset === symbolCharset) return decodeSymbols;
    const ofFont = font?.codePage ?? charsets.get(font?.charset ?? 0);
    return this.decoder(ofFont ?? this.codePage);
  }

  private decoder(codePage: number): RtfDecoder {
    const known = this.decoders.get(codePage);
    if (known) return known;
    const made = makeDecoder(codePage) ?? makeDecoder(1252)!;
    this.decoders.set(codePage, made);
    return made;
  }
}
