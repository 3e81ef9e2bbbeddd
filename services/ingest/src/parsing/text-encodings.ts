import iconv from "iconv-lite";

/** How bytes become text. */
export interface TextEncoding {
  /** The encoding's common name. */
  name: string;
  /**
   * Its name in the Encoding Standard, whose decoders know what browsers know about each, or in
   * iconv-lite (`iconv`) for those that the standard lacks.
   */
  label: string;
  iconv?: true;
  /** Languages written in it. */
  languages: readonly string[];
  /** How much rarer it is than the usual one of its languages, as a logarithm. */
  rarity: number;
}

const western = ["en", "de", "fr", "es", "it", "pt", "nl", "sv", "da", "nb", "fi", "is", "ca"];
const central = ["cs", "sk", "pl", "hu", "ro", "hr", "sl", "sq", "de"];
const cyrillic = ["ru", "uk", "be", "bg", "sr", "mk"];
const baltic = ["et", "lv", "lt"];
const chinese = ["zh-Hans", "zh-Hant"];

const encoding = (
  name: string,
  languages: readonly string[],
  rarity = 0,
  label = name.toLowerCase(),
): TextEncoding => ({ name, label, languages, rarity });
const fromIconv = (
  name: string,
  languages: readonly string[],
  rarity: number,
  label = name.toLowerCase(),
): TextEncoding => ({ name, label, iconv: true, languages, rarity });

/** Encodings to try. If several give the same text, the first one counts. */
export const legacyEncodings: readonly TextEncoding[] = [
  encoding("Windows-1252", western),
  encoding("Windows-1250", central, 1),
  encoding("Windows-1251", cyrillic, 1),
  encoding("Windows-1253", ["el"], 1),
  encoding("Windows-1254", ["tr"], 1),
  encoding("Windows-1255", ["he"], 1),
  encoding("Windows-1256", ["ar", "fa"], 1),
  encoding("Windows-1257", baltic, 1),
  encoding("Windows-1258", ["vi"], 2),
  encoding("Windows-874", ["th"]),
  encoding("Shift_JIS", ["ja"]),
  encoding("GBK", chinese),
  encoding("Big5", ["zh-Hant"]),
  encoding("EUC-KR", ["ko"]),
  encoding("EUC-JP", ["ja"], 1),
  encoding("ISO-8859-2", central, 2),
  encoding("ISO-8859-15", western, 3),
  encoding("ISO-8859-5", cyrillic, 3),
  encoding("ISO-8859-7", ["el"], 2),
  encoding("ISO-8859-8", ["he"], 2, "iso-8859-8-i"),
  encoding("ISO-8859-6", ["ar"], 2),
  encoding("ISO-8859-4", baltic, 4),
  encoding("ISO-8859-13", baltic, 2),
  encoding("ISO-8859-16", ["ro"], 4),
  encoding("KOI8-R", ["ru"], 2),
  encoding("KOI8-U", ["uk"], 2),
  fromIconv("CP850", western, 3),
  fromIconv("CP437", western, 4),
  fromIconv("CP852", central, 3),
  encoding("CP866", ["ru", "uk", "be", "bg"], 2, "ibm866"),
  fromIconv("CP737", ["el"], 4),
  fromIconv("CP857", ["tr"], 3),
  fromIconv("CP775", baltic, 4),
  fromIconv("CP862", ["he"], 4),
  fromIconv("CP720", ["ar"], 4),
  encoding("Mac OS Roman", western, 5, "macintosh"),
  encoding("Mac OS Cyrillic", ["ru", "uk"], 5, "x-mac-cyrillic"),
  fromIconv("Mac OS Central European", central, 6, "maccenteuro"),
];

export const utf8: TextEncoding = encoding("UTF-8", []);
const every = [...western, ...central, ...cyrillic, ...baltic, "el", "tr", "he", "ar", "fa", "th"];
/** Without a byte order mark, which names the encoding for sure. */
export const utf16: readonly TextEncoding[] = [
  encoding("UTF-16LE", [...new Set(every), "vi", "ja", "ko", ...chinese]),
  encoding("UTF-16BE", [...new Set(every), "vi", "ja", "ko", ...chinese]),
];
/** Recognised by its escape sequences. */
export const iso2022: TextEncoding = encoding("ISO-2022-JP", ["ja"]);

const all = [utf8, ...legacyEncodings, ...utf16, iso2022];

/** Our labels for names that the Encoding Standard treats differently. */
const aliases: Record<string, string> = {
  cp437: "CP437",
  ibm437: "CP437",
  "437": "CP437",
  cp850: "CP850",
  ibm850: "CP850",
  "850": "CP850",
  cp852: "CP852",
  ibm852: "CP852",
  cp857: "CP857",
  ibm857: "CP857",
  cp775: "CP775",
  ibm775: "CP775",
  cp737: "CP737",
  ibm737: "CP737",
  cp862: "CP862",
  ibm862: "CP862",
  cp720: "CP720",
  cp932: "Shift_JIS",
  cp936: "GBK",
  cp949: "EUC-KR",
  ms949: "EUC-KR",
  cp950: "Big5",
  cp1250: "Windows-1250",
  cp1251: "Windows-1251",
  cp1252: "Windows-1252",
};

/** The encoding with a declared name; null if it can't be read. */
export function encodingNamed(declared: string): TextEncoding | null {
  const name = declared.trim().toLowerCase();
  const known = all.find(
    (one) => one.name.toLowerCase() === name || one.name === aliases[name] || one.label === name,
  );
  if (known) return known;
  let label: string;
  try {
    label = new TextDecoder(name).encoding;
  } catch {
    return iconv.encodingExists(name)
      ? { name: declared.trim(), label: name, iconv: true, languages: [], rarity: 0 }
      : null;
  }
  const standard: Record<string, string> = { gb18030: "gbk", "iso-8859-8": "iso-8859-8-i" };
  return (
    all.find((one) => one.label === (standard[label] ?? label)) ?? {
      name: declared.trim(),
      label,
      languages: [],
      rarity: 0,
    }
  );
}

/** Bytes that an encoding doesn't have become U+FFFD. */
export function decodeAs({ label, iconv: isOther }: TextEncoding, bytes: Uint8Array): string {
  if (isOther)
    return iconv.decode(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), label);
  const text = new TextDecoder(label).decode(bytes);
  // Vietnamese letters come apart in it.
  return label === "windows-1258" ? text.normalize("NFC") : text;
}
