import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { describe, expect, it } from "@jest/globals";
import { parse } from "../../test/parse.ts";
import { detectFormat } from "./detect-format.ts";

/** The bytes of a magic number, and where file-type looks for them. */
interface Magic {
  at: number;
  bytes: Buffer;
}

/** Every magic number in file-type's source whose bytes can begin a text. */
function printableMagic(): Magic[] {
  const folder = path.dirname(createRequire(import.meta.url).resolve("file-type"));
  const source = readFileSync(path.join(folder, "index.js"), "utf8");
  const offset = (options: string): number => Number(/offset: (\d+)/.exec(options)?.[1] ?? 0);
  const strings = Array.from(
    source.matchAll(/checkString\('([^']+)'([^)]*)\)/g),
    ([, text = "", options = ""]): Magic => ({
      at: offset(options),
      bytes: Buffer.from(text.replaceAll(/\\r|\\n/g, "\n").replaceAll(/\\0/g, " "), "latin1"),
    }),
  );
  const bytes = Array.from(
    source.matchAll(/check\(\[([^\]]+)\]([^)]*)\)/g),
    ([, list = "", options = ""]): Magic => ({
      at: offset(options),
      bytes: Buffer.from(list.split(",").map(Number)),
    }),
  );
  return [...strings, ...bytes].filter(
    ({ bytes: magic }) =>
      magic.length > 1 && magic.every((byte) => (byte >= 32 && byte < 127) || byte === 10),
  );
}

/** A text with these bytes at their place. */
const textWith = ({ at, bytes }: Magic): Buffer =>
  Buffer.concat([
    Buffer.from("The keeper writes. ".repeat(40)).subarray(0, at),
    bytes,
    Buffer.from(" and more of it, line by line.\n".repeat(30)),
  ]);

const textNames: [extension: string, format: string][] = [
  [".txt", "text"],
  [".md", "markdown"],
  [".csv", "csv"],
  [".html", "html"],
  [".json", "json"],
  [".py", "code"],
  [".log", "text"],
  ["", "text"],
  [".unknown", "text"],
];

describe("text that starts like a binary file", () => {
  const all = printableMagic();

  it.each(textNames)("is text under a name with %j", async (extension, format) => {
    expect(all.length).toBeGreaterThan(80);
    const wrong: string[] = [];
    for (const magic of all) {
      const detected = await detectFormat(textWith(magic), `a${extension}`).catch(String);
      const is = typeof detected === "string" ? detected : detected.format;
      // Markup without its own file name is recognised by its start.
      const isMarkup = /^<\?xml|^BEGIN:|^WEBVTT/.test(magic.bytes.toString("latin1"));
      if (is !== format && !(isMarkup && format === "text"))
        wrong.push(`${magic.bytes.toString("latin1")}: ${is}`);
    }
    expect(wrong).toEqual([]);
  });

  it.each([
    "FORM 10-K\nAnnual report of the harbour.",
    "MAC address,Host\n00:11,kestrel",
    "ID3 is a tag of recordings.",
    "solid waste is collected on Mondays.",
    "BMW announced a new engine.",
    "GIF images are old.",
    "MZ is how programs begin.",
    "FWS is the signature of Flash.",
    "%!PS is PostScript's first line.",
    "%PDF is not a document yet.",
    "%PDF-1.4 was published in 2001.",
    "{\\rtf is how RTF begins.",
    "{\\rtf1\\ansi begins a document, and nothing ends it",
    "PK is the signature of Phil Katz.",
    "RIFF....WAVE is a header.",
    "OggS is a page.",
    "II* is little-endian, MM* the other.",
    "Rar! is an archive.",
    "The ftypes are listed.",
    "#!AMR\nis speech.",
    "7zip packs files. BZh too.",
    "-----BEGIN PGP MESSAGE-----\nis how it starts.",
  ])("%s", async (text) => {
    for (const name of ["a.txt", "a.md", "a", "a.log"])
      expect((await parse(name, text)).text).toBe(text);
    expect((await parse("a", text, "text/plain")).text).toBe(text);
    for (const encoding of ["utf16le", "latin1"] as const) {
      const bom = Buffer.from(encoding === "utf16le" ? "fffe" : "", "hex");
      const bytes = Buffer.concat([bom, Buffer.from(`${text} Möwe`, encoding)]);
      expect((await parse("a.txt", bytes)).text).toBe(`${text} Möwe`);
    }
  });

  it("is not confused with real documents under a text name", async () => {
    const pdf = Buffer.from("%PDF-1.4\n1 0 obj\n<</Type/Catalog>>\nendobj\ntrailer<</Root 1 0 R>>");
    expect((await detectFormat(pdf, "a.txt")).format).toBe("pdf");
    expect((await parse("a.txt", String.raw`{\rtf1\ansi Hello {\b there}.\par}`)).text).toBe(
      "Hello there.",
    );
    const gif = Buffer.from("GIF89a\x01\0\x01\0\x80\0\0\xff\xff\xff\0\0\0;", "latin1");
    expect((await detectFormat(gif, "a.txt")).format).toBe("image");
    await expect(detectFormat(Buffer.from("%!PS-Adobe-3.0\n/x 1 def"), "a.ps")).rejects.toThrow();
  });
});

describe("text with NULs", () => {
  const lines = Array.from({ length: 40 }, (_, i) => `Berth ${i},Möwe,${i * 7}`).join("\n");
  const damaged = `${lines.slice(0, 200)}\0${lines.slice(200, 400)}\0${lines.slice(400)}`;

  it.each([".txt", ".log", ".md", ".csv", ".html", ".json", ".py", ".srt", ".ics"])(
    "is read under the name %s, without them",
    async (extension) => {
      const whole = await parse(`a${extension}`, lines);
      const texts: [string, Buffer][] = [
        ["among the text", Buffer.from(damaged)],
        ["in Latin-1", Buffer.from(damaged, "latin1")],
        ["in UTF-16", Buffer.from(`\ufeff${damaged}`, "utf16le")],
        ["in UTF-16 without a mark", Buffer.from(damaged, "utf16le")],
        ["at the end", Buffer.from(`${lines}${"\0".repeat(4096)}`)],
        ["at the end in UTF-16", Buffer.from(`\ufeff${lines}${"\0".repeat(999)}`, "utf16le")],
      ];
      for (const [where, bytes] of texts)
        expect([where, (await parse(`a${extension}`, bytes)).text]).toEqual([where, whole.text]);
    },
  );

  it("may have one, however short it is", async () => {
    expect((await parse("a.txt", "Granted\0 by Ada")).text).toBe("Granted by Ada");
  });

  it("isn't any other binary file under a text name", async () => {
    const noise = Buffer.from(Array.from({ length: 4_000 }, (_, i) => (i * i * 31 + i * 7) % 256));
    const records = Buffer.from("Ada\0\0\0\0\x01Lovelace\0\0\0".repeat(50));
    const manyNuls = Buffer.from("Ada\0".repeat(300));
    const onlyNuls = Buffer.alloc(500);
    for (const bytes of [noise, records, manyNuls, onlyNuls])
      await expect(detectFormat(bytes, "a.txt")).rejects.toThrow();
    await expect(detectFormat(Buffer.from(damaged), "a.exe")).rejects.toThrow();
  });
});
