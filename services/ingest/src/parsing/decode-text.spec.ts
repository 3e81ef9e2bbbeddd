import { readFileSync } from "node:fs";
import { join } from "node:path";
import { findBesideCheckout } from "@carrel/testing";
import { describe, expect, it } from "@jest/globals";
import iconv from "iconv-lite";
import { encodedTexts } from "../../test/encoded-texts.ts";
import { decodeText, looksLikeText, type EncodingHints } from "./decode-text.ts";

const encode = (text: string, encoding: string): Buffer =>
  iconv.encode(encoding === "windows-1258" ? text.normalize("NFD") : text, encoding, {
    addBOM: false,
  });
const read = (bytes: Buffer, encoding: string): string =>
  iconv.decode(bytes, encoding).normalize("NFC");

/** Pieces of about as many bytes, each from the start of a word. */
function* piecesOf(text: string, encoding: string, length: number): Generator<Buffer> {
  const most = length > 200 ? 1 : length > 60 ? 3 : 12;
  const starts = [...text.matchAll(/(?<=^|[\s。，、；：])\S/gu)].slice(0, most);
  const long = length > 200 ? text.repeat(Math.ceil(length / text.length)) : text;
  for (const { index } of starts) {
    let piece = "";
    let size = 0;
    for (const character of long.slice(index)) {
      size += encode(character, encoding).length;
      if (size > length) break;
      piece += character;
    }
    const bytes = encode(piece, encoding);
    if (bytes.some((byte) => byte >= 0x80)) yield bytes;
  }
}

/** The least share that is right, in all and for each language and encoding. */
const shares: [length: number, ofAll: number, ofEach: number][] = [
  [20, 0.95, 0.6],
  [60, 0.99, 0.9],
  [200, 1, 1],
  [2_000, 1, 1],
];

it.each(shares)("the encodings of texts of %d bytes are found", (length, ofAll, ofEach) => {
  const results = encodedTexts.flatMap(({ language, encodings, text }) =>
    encodings.map((encoding) => {
      const pieces = [...piecesOf(text, encoding, length)];
      const right = pieces.filter((bytes) => decodeText(bytes).text === read(bytes, encoding));
      return { name: `${language} in ${encoding}`, all: pieces.length, right: right.length };
    }),
  );
  const all = results.reduce((sum, one) => sum + one.all, 0);
  const right = results.reduce((sum, one) => sum + one.right, 0);
  expect(all).toBeGreaterThan(60);
  expect(right / all).toBeGreaterThanOrEqual(ofAll);
  expect(results.filter((one) => one.right < one.all * ofEach)).toEqual([]);
});

it.each<[text: string, encodings: string]>([
  ["Name;Ort\r\nMüller;Köln\r\n", "windows-1252 cp850 cp437 macintosh"],
  ["Schiff;Gebühr\r\nMöwe;12 €\r\n", "windows-1252 iso-8859-15"],
  ["NAVIRE;ÎLE\r\nÉTOILE;FORÊT\r\n", "windows-1252 cp850"],
  ["MÖWE;SÜSSÖL\r\n", "windows-1252 cp850 cp437"],
  ["“Quotes” – it’s … café", "windows-1252 macintosh"],
  ["A single é: café au lait.", "windows-1252 cp850 macintosh"],
  ["КАПИТАН ПОРТА\r\n", "windows-1251 koi8-r cp866 iso-8859-5"],
  ["Судно;Груз\r\nЗаря;соль\r\n", "windows-1251 koi8-r cp866 iso-8859-5 maccyrillic"],
  ["Łódź;Sól\r\nŻółw;Śledź\r\n", "windows-1250 iso-8859-2 cp852"],
  ["Loď;Náklad\r\nŽižka;sůl\r\n", "windows-1250 iso-8859-2 cp852"],
  ["Hajó;Rakomány\r\nTűz;kőolaj\r\n", "windows-1250 iso-8859-2 cp852"],
  ["Gemi;Yük\r\nŞafak;tuz\r\nIşık;katran\r\n", "windows-1254 iso-8859-9 cp857"],
  ["Πλοίο;Φορτίο\r\nΑυγή;αλάτι\r\n", "windows-1253 iso-8859-7 cp737"],
  ["ספינה;מטען\r\nשחר;מלח\r\n", "windows-1255 iso-8859-8 cp862"],
  ["السفينة;الحمولة\r\nالفجر;ملح\r\n", "windows-1256 iso-8859-6 cp720"],
  ["كشتي;بار\r\nسپيده;چند\r\n", "windows-1256"],
  ["Kuģis;Krava\r\nRītausma;sāls\r\n", "windows-1257 cp775"],
  ["เรือ;สินค้า\r\nรุ่งอรุณ;เกลือ\r\n", "windows-874"],
  ["배,화물\r\n새벽호,소금\r\n", "euc-kr utf-16le utf-16be"],
  ["船名,貨物\r\n曙光號,食鹽\r\n", "big5"],
  ["船名,货物\r\n曙光号,食盐\r\n", "gbk gb18030 utf-16le utf-16be"],
  ["船名,貨物\r\n暁丸,食塩\r\n", "shift_jis euc-jp utf-16le utf-16be"],
  ["ｶﾓﾒ丸,食塩\r\nｱｶﾂｷ,ﾀｰﾙ\r\n", "shift_jis"],
  ["┌────┬────┐\r\n│Möwe│  12│\r\n└────┴────┘\r\n", "cp437 cp850"],
])("a table of a few words is read: %j", (text, encodings) => {
  for (const encoding of encodings.split(" ")) {
    const decoded = decodeText(encode(text, encoding));
    expect([encoding, decoded.text]).toEqual([encoding, text]);
    expect(decoded.isGuessed).toBe(true);
  }
});

it.each([
  "a,b\nroom 1,21.5 °C\nroom 2,22.5 °C",
  "25 °C",
  "25 °C, 30 °C",
  "Temp [°C];Druck\n21,5;3",
  "-5 °F",
  "10 µm",
  "0,5 µs (µ-controller)",
  "Réf: 12 µg/l",
  "thickness 10 µm, ±5 µm",
  "100 W ±5 %",
  "x ± y",
  "±1",
  "5×3 mm",
  "Size: 1920 × 1080 px",
  "10 ÷ 2",
  "½ cup",
  "1½ cups, ¾ inch",
  "a,b\n1,½\n2,¼",
  "A · B",
  "20 m²; 30 m³",
  "3²",
  "10¹²",
  "£50 or ¥ 500, 50¢",
  "Nº 5",
  "¬x",
  "Malmö",
])("a few signs of Windows-1252 are read: %j", (text) => {
  expect(decodeText(encode(text, "windows-1252"))).toMatchObject({
    text,
    encoding: "Windows-1252",
  });
});

describe("a bad byte in UTF-8 costs one character", () => {
  it.each<[parts: (string | number)[], text: string]>([
    [["Möwe 40 €; Alt", 0xf6, "\nKüche"], "Möwe 40 €; Altö\nKüche"],
    [["Möwe Alt", 0xf6], "Möwe Altö"],
    [["Gr", 0xfc, "n und schön und Größe"], "Grün und schön und Größe"],
    [["Капитан порта ", 0xe4, " маяк"], "Капитан порта \ufffd маяк"],
    [["It’s a “quoted” text ", 0x92, " here"], "It’s a “quoted” text \ufffd here"],
    [["港長は毎朝", 0xe6, 0x97], "港長は毎朝\ufffd"],
    [["naïve ", 0xc3], "naïve \ufffd"],
    [["a, ".repeat(5_000), "Möwe ", 0xff, " Öl"], `${"a, ".repeat(5_000)}Möwe \ufffd Öl`],
  ])("%j", (parts, text) => {
    const bytes = Buffer.concat(
      parts.map((part) => (typeof part === "string" ? Buffer.from(part) : Buffer.of(part))),
    );
    expect(decodeText(bytes)).toEqual({ text, encoding: "UTF-8", isGuessed: true });
  });
});

const page = (head: string): string => `<html><head>${head}</head><body><p>`;
const late = " ".repeat(50_000);
it.each<[text: string, real: string, hints: EncodingHints, encoding: string, isGuessed: boolean]>([
  ["Žižka", "iso-8859-2", { declared: "ISO-8859-2" }, "ISO-8859-2", false],
  ["Ö", "windows-1252", { declared: "iso-8859-1" }, "Windows-1252", false],
  ["é", "macintosh", { declared: "macintosh" }, "Mac OS Roman", false],
  ["Möwe", "cp850", { declared: "IBM850" }, "CP850", false],
  ["Смотритель", "windows-1251", { declared: "no-such-one" }, "Windows-1251", true],
  ["Смотритель", "windows-1251", { declared: "iso-8859-1" }, "Windows-1251", true],
  [`<?xml version="1.0" encoding="EUC-JP"?><a>番人`, "euc-jp", { kind: "xml" }, "EUC-JP", false],
  [
    `<?xml encoding='windows-1254'?><a>Işık`,
    "windows-1254",
    { kind: "xml" },
    "Windows-1254",
    false,
  ],
  [`<?xml encoding="UTF-8"?><a>Möwe`, "windows-1252", { kind: "xml" }, "Windows-1252", true],
  [
    `<?xml version="1.0" encoding="Shift_JIS"?><html><p>番人`,
    "shift_jis",
    { kind: "html" },
    "Shift_JIS",
    false,
  ],
  [`${page(`${late}<meta charset=koi8-r>`)}Вьюн`, "koi8-r", { kind: "html" }, "KOI8-R", false],
  [
    `${page(`<!-- <meta charset=big5> --><script>"<meta charset=koi8-r>"</script><meta http-equiv="Content-Type" content="text/html; charset=windows-1253">`)}Αυγή`,
    "windows-1253",
    { kind: "html" },
    "Windows-1253",
    false,
  ],
  [
    `${page("<meta charset=utf-8>")}Вьюн живёт`,
    "windows-1251",
    { kind: "html" },
    "Windows-1251",
    true,
  ],
  [`${page("<meta charset=latin1>")}Вьюн живёт`, "cp866", { kind: "html" }, "CP866", true],
  [
    `${page("<meta charset=koi8-r>")}Die Möwe`,
    "windows-1252",
    { kind: "html" },
    "Windows-1252",
    true,
  ],
  [`${page("<meta charset=koi8-r>")}Вьюн`, "utf-8", { kind: "html" }, "UTF-8", false],
])("%j is read as declared, unless it isn't", (text, real, hints, encoding, isGuessed) => {
  expect(decodeText(encode(text, real), hints)).toEqual({ text, encoding, isGuessed });
});

it("a choice overrules everything", () => {
  const bytes = encode("Вьюн", "windows-1251");
  expect(decodeText(bytes, { chosen: "KOI8-R", declared: "windows-1251" })).toEqual({
    text: iconv.decode(bytes, "koi8-r"),
    encoding: "KOI8-R",
    isGuessed: true,
  });
});

it.each(["utf-8", "utf-16le", "utf-16be", "utf-32le", "utf-32be"])(
  "a byte order mark names %s",
  (encoding) => {
    const decoded = decodeText(iconv.encode("Möwe, Вьюн, 番人", encoding, { addBOM: true }));
    expect(decoded).toMatchObject({ text: "Möwe, Вьюн, 番人", isGuessed: false });
  },
);

it("ISO-2022-JP is known by its escapes", () => {
  const bytes = Buffer.from("\u001b$BF|K\\\u001b(B");
  expect(decodeText(bytes)).toMatchObject({ encoding: "ISO-2022-JP", text: "日本" });
});

it("UTF-16 without a mark looks like text, and noise doesn't", () => {
  const others = [
    "बंदरगाह का कप्तान हर सुबह सभी जहाज़ों का शुल्क जाँचता है।",
    "ნავსადგურის კაპიტანი ყოველ დილით ამოწმებს გემების გადასახადს.",
    "Նավահանգստի ղեկավարն ամեն առավոտ ստուգում է նավերի վճարները։",
  ].map((text) => ({ text }));
  for (const { text } of [...encodedTexts, ...others])
    for (const encoding of ["utf-16le", "utf-16be"]) {
      const bytes = encode(text, encoding);
      expect(looksLikeText(bytes)).toBe(true);
      expect(decodeText(bytes)).toMatchObject({ text, isGuessed: true });
    }
  for (let seed = 1; seed < 200; seed++) {
    let state = seed;
    const noise = Uint8Array.from({ length: 400 }, () => {
      state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
      return state >> 16;
    });
    expect(looksLikeText(noise)).toBe(false);
  }
});

const inputs = findBesideCheckout("data/inputs");
(inputs ? it : it.skip).each<[name: string, kind: EncodingHints["kind"], words: string[]]>([
  ["csv-gbk.csv", "text", ["船名,货物,吨数", "曙光号,食盐,120"]],
  ["csv-sjis.csv", "text", ["船名,貨物", "暁丸,食塩"]],
  ["csv-cp850.csv", "text", ["Möwe;Süßöl", "Grüne Träne;Teer"]],
  ["csv-cp1253.csv", "text", ["Πλοίο;Φορτίο", "Αυγή;αλάτι"]],
  ["csv-utf8-one-bad-byte.csv", "text", ["Hafen;Gebühr\nMöwe;40 €\nAltö;5"]],
  ["txt-cp1251.txt", "text", ["Капитан порта назначен советом."]],
  ["txt-cp1250.txt", "text", ["Přístavní kapitán bydlí v ulici Žižkově."]],
  ["txt-iso88592.txt", "text", ["Zażółć gęślą jaźń."]],
  ["html-nometa-cp1251.html", "html", ["Смотритель маяка живёт на острове Вьюн."]],
  ["html-xhtml-decl.xhtml", "html", ["番人は北の島に住んでいます。"]],
])(`%s${inputs ? "" : " (not run: ../shared/data/inputs is missing)"}`, (name, kind, words) => {
  const { text } = decodeText(readFileSync(join(inputs!, name)), { kind });
  for (const word of words) expect(text).toContain(word);
});
