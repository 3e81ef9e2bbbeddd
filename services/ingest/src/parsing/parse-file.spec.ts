import { describe, expect, it } from "@jest/globals";
import { makeZip } from "../../test/fixtures/make-office.ts";
import { parse, reason } from "../../test/parse.ts";

describe("files that are empty, mislabelled or not text", () => {
  const png = Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "base64",
  );
  const binary = Buffer.from(Array.from({ length: 4096 }, (_, i) => (i * 7919) % 256));
  it.each([
    ["empty.txt", Buffer.alloc(0), "No text content found in empty.txt."],
    ["blank.md", Buffer.from(" \n\t\n "), "No text content found in blank.md."],
    ["marks.txt", Buffer.from("--- ... !!!"), "No text content found in marks.txt."],
    ["empty.json", Buffer.alloc(0), "No text content found in empty.json."],
    ["empty.pdf", Buffer.alloc(0), "No text content found in empty.pdf."],
    [
      "page.html",
      Buffer.from("<html><script>1</script></html>"),
      "No text content found in page.html.",
    ],
    [
      "archive.txt",
      Buffer.concat([Buffer.from("1f8b0800", "hex"), binary]),
      "The file is named .txt but contains application/gzip, which can't be parsed.",
    ],
    [
      "data.bin",
      binary,
      "File extension .bin not supported for parsing and cannot be assumed as text file type.",
    ],
    ...[
      ["numbers.bin", Buffer.from(Uint16Array.from({ length: 4096 }, (_, i) => i % 200).buffer)],
      ["later.bin", Buffer.concat([Buffer.alloc(70_000, "Some text. "), Buffer.alloc(1)])],
      ["marked.bin", Buffer.concat([Buffer.from("fffe", "hex"), binary])],
      ["marked8.bin", Buffer.concat([Buffer.from("efbbbf", "hex"), Buffer.from("a\0b")])],
    ].map(([filename, bytes]): [string, Buffer, string] => [
      filename as string,
      bytes as Buffer,
      "File extension .bin not supported for parsing and cannot be assumed as text file type.",
    ]),
    [
      "program",
      Buffer.concat([Buffer.from("\x7fELF"), binary]),
      "File extension (none) not supported for parsing and cannot be assumed as text file type.",
    ],
    [
      "nul.csv",
      binary,
      "File extension .csv not supported for parsing and cannot be assumed as text file type.",
    ],
    ["noise.docx", binary, "The Word document is damaged or incomplete."],
    ["noise.pdf", binary, "The PDF is damaged or incomplete."],
  ])("%s", async (filename, bytes, words) => {
    expect(await reason(filename, bytes)).toBe(words);
  });

  it.each(["empty.mp3", "empty.txt"])("calls %s empty", async (filename) => {
    await expect(parse(filename, "")).rejects.toMatchObject({ fault: { code: "file.empty" } });
    await expect(parse("blank.md", " ")).rejects.toMatchObject({ fault: { code: "file.no-text" } });
  });

  it("requests recognition of a picture under any name, and transcription of a recording", async () => {
    const wave = Buffer.concat([
      Buffer.from("RIFF"),
      Buffer.from([36, 0, 0, 0]),
      Buffer.from("WAVEfmt "),
      Buffer.alloc(28),
    ]);
    await expect(parse("picture.txt", png)).rejects.toMatchObject({
      name: "ProcessingRequiredError",
      work: "recognition",
      pages: 1,
    });
    await expect(parse("speech.wav", wave)).rejects.toMatchObject({
      name: "ProcessingRequiredError",
      work: "transcription",
    });
  });

  it.each([
    ["a.pdf", "<!doctype html><p>Not found</p>", "html", "text/html"],
    ["a.pdf", "The quay is closed.", "text", "text/plain"],
    ["a.docx", "The quay is closed.", "text", "text/plain"],
    ["a.xls", "<html><table><tr><td>Quay 3</td></tr></table></html>", "html", "text/html"],
    ["a.txt", String.raw`{\rtf1\ansi The quay is closed.}`, "rtf", "application/rtf"],
  ])("reads %s with %j as %s, and says so", async (filename, content, format, type) => {
    const parsed = await parse(filename, content);
    expect(parsed.format).toBe(format);
    expect(parsed.text).not.toBe("");
    expect(parsed.notes).toEqual([
      {
        code: "file-note.named-otherwise",
        params: { extension: filename.slice(1), type },
      },
    ]);
  });

  it.each(["a.txt", "a.md", "a.csv", "a", "a.unknown"])("has no such note for %s", async (name) => {
    expect((await parse(name, "Quay,Depth\n3,7")).notes ?? []).toEqual([]);
  });
});

describe("what PostgreSQL can't store", () => {
  it("isn't in headings that are shortened", async () => {
    for (const sign of ["🚢", "👩‍👩‍👧‍👦", "e\u0301", "🇩🇪"]) {
      const heading = `${"Harbour ".repeat(37)}quay${sign.repeat(9)}`;
      const parsed = await parse("a.html", `<h1>${heading}</h1><p>The keeper is Delphine Osk.</p>`);
      const { title } = parsed.headings[0]!;
      expect(title.length).toBeLessThanOrEqual(300);
      expect(title.replaceAll(sign, "")).toBe(`${"Harbour ".repeat(37)}quay`);
    }
  });

  it("isn't in a text or its headings", async () => {
    const parsed = await parse(
      "page.html",
      "<h1>Lone &#xD83D; half&#0;</h1><p>And &#xDE00; here &#0; too.</p>",
    );
    for (const text of [parsed.text, ...parsed.headings.map(({ title }) => title)]) {
      expect(text.isWellFormed()).toBe(true);
      expect(text).not.toContain("\0");
    }
  });
});

it("has no notes that can't be stored", async () => {
  const zip = makeZip({ "a.txt": "Calm.", "b\0\u{1f30a}.bin": Buffer.from([0, 1]) });
  const { parts } = await parse("a.zip", zip);
  expect(parts![0]!.notes).toMatchObject([{ params: { names: "b\ufffd\u{1f30a}.bin" } }]);
});

it("says in which encoding a file was read, if that was only guessed", async () => {
  const bytes = Buffer.from("Möwe;Süßöl\n", "latin1");
  const notes = [{ code: "file-note.encoding-guessed", params: { encoding: "Windows-1252" } }];
  for (const filename of ["a.txt", "a.md", "a.csv", "a.html", "a.py"])
    expect((await parse(filename, bytes)).notes).toEqual(notes);
  expect((await parse("a.txt", "Möwe;Süßöl\n")).notes).toBeUndefined();
  expect((await parse("a.html", bytes, "text/html; charset=koi8-r")).notes).toEqual(notes);
});
