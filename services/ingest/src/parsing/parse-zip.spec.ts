import { describe, expect, it, jest } from "@jest/globals";
import iconv from "iconv-lite";
import { makeDocx } from "../../test/fixtures/make-docx.ts";
import { makeEpub, makeWorkbook, makeZip } from "../../test/fixtures/make-office.ts";
import { makePicture } from "../../test/fixtures/make-picture.ts";
import { parse, reason } from "../../test/parse.ts";

describe("a ZIP archive", () => {
  it("has its files as parts, in their folders and in order", async () => {
    const parsed = await parse(
      "harbour.zip",
      makeZip({
        "log/10.md": "# Ten\n\nFog.",
        "log/2.txt": "Calm.",
        "log/": "",
        "Häfen.csv": "quay,depth\nnorth,7",
        "book.epub": makeEpub(["<p>It was night.</p>"]),
        "sums.xlsx": await makeWorkbook({ One: [["a"], ["b"]], Two: [["c"]] }, "xlsx"),
        "inner.zip": makeZip({ "deep/a.txt": "Deep.", "deeper.zip": makeZip({ "b.txt": "b" }) }),
        "photo.jpg": Buffer.from("ffd8ffe000104a46", "hex"),
        "broken.docx": Buffer.from([0, 1, 2]),
        "__MACOSX/._2.txt": "no",
        "log/.DS_Store": "no",
        ".git/config": "no",
      }),
    );
    expect(parsed).toMatchObject({ format: "zip", mime: "application/zip" });
    const parts = parsed.parts!;
    expect(parts.map(({ name }) => name)).toEqual([
      "book.epub",
      "Häfen.csv",
      "inner/deep/a.txt",
      "log/2.txt",
      "log/10.md",
      "sums.xlsx",
    ]);
    expect(parts.find(({ name }) => name === "log/10.md")).toMatchObject({
      text: "# Ten\n\nFog.",
      headings: [{ title: "Ten" }],
      file: { mime: "text/markdown", docSource: "a markdown file uploaded by the user." },
    });
    expect(parts.at(-1)!.text).toContain("Two");
    expect(parts[0]!.notes).toEqual([
      {
        code: "file-note.members-unread",
        params: { count: 3, names: "broken.docx, inner/deeper.zip, photo.jpg" },
      },
    ]);
    // Dropped on a chat, it is one text.
    expect(parsed.text).toContain("log/2.txt\n\nCalm.");
  });

  it("is recognised without a name, but isn't an Office file", async () => {
    const zip = makeZip({ "a.txt": "Calm." });
    expect((await parse("archive", zip)).parts).toHaveLength(1);
    expect(await reason("a.docx", zip)).toContain("doesn't contain a Word document");
  });

  it("says why it can't be read", async () => {
    expect(await reason("a.zip", makeZip({ "__MACOSX/a": "x" }))).toBe(
      "The ZIP archive doesn't contain any files.",
    );
    expect(await reason("a.zip", makeZip({ "a.bin": Buffer.from([0, 1]) }))).toBe(
      "None of the files in the ZIP archive could be read.",
    );
    const many = Object.fromEntries(Array.from({ length: 501 }, (_, i) => [`${i}.txt`, "x"]));
    expect(await reason("a.zip", makeZip(many))).toContain("exceeds the limit of 500 parts");
    expect(await reason("a.zip", makeZip({ "a.txt": "x" }).subarray(0, 60))).toBe(
      "The ZIP archive is damaged or incomplete.",
    );
    const locked = makeZip({ "a.txt": "x" });
    for (let at = locked.indexOf("PK\x01\x02"); at >= 0; at = -1) locked[at + 8]! |= 1;
    expect(await reason("a.zip", locked)).toBe("The ZIP archive is password-protected.");
  });

  it.each([
    ["utf8", ["Übersicht.txt", "日本語.txt"]],
    ["cp850", ["Übersicht.txt"]],
    ["cp850", ["Größe/Übersicht.txt", "Häfen/Straße.txt", "résumé.txt"]],
    ["cp852", ["Příloha.txt", "Smlouva č. 5.txt", "Zpráva/Účet.txt"]],
    ["cp866", ["Документы/Договор.txt", "Документы/Смета.txt"]],
    ["win1251", ["Документы/Договор.txt", "Документы/Смета.txt"]],
    ["shift_jis", ["資料/見積書.txt", "資料/議事録.txt"]],
    ["gbk", ["文件/会议记录.txt", "文件/合同.txt"]],
    ["euc-kr", ["보고서.txt", "회의록.txt"]],
  ])("has names in %s, though it doesn't say so", async (encoding, names) => {
    const files = Object.fromEntries(names.map((name) => [name, "Calm."]));
    const zip = makeZip(files, {}, (name) => iconv.encode(name, encoding));
    const read = (await parse("a.zip", zip)).parts!.map(({ name }) => name);
    expect(read.toSorted()).toEqual(names.toSorted());
  });

  it("has names with backslashes, and names that point outside, in its own folders", async () => {
    const names = ["/abs/a.txt", "C:\\Users\\b.txt", "../../c.txt", "log\\d.txt", "./e.txt"];
    const zip = makeZip(Object.fromEntries(names.map((name) => [name, "Calm."])));
    expect((await parse("a.zip", zip)).parts!.map(({ name }) => name)).toEqual([
      "abs/a.txt",
      "c.txt",
      "e.txt",
      "log/d.txt",
      "Users/b.txt",
    ]);
  });

  it("keeps the text of files whose pictures would need recognition", async () => {
    const picture = { type: "image", content: await makePicture(["Rent is due on Monday"]) };
    const body = `<w:p><w:r><w:t>The keeper's rules.</w:t></w:r></w:p><w:p><w:r><w:drawing><wp:inline><wp:extent cx="4320000" cy="2160000"/><a:graphic><a:graphicData><a:blip r:embed="a.png"/></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>`;
    const docx = await makeDocx([], { body, parts: { "a.png": picture } });
    const { parts } = await parse("a.zip", makeZip({ "rules.docx": docx }));
    expect(parts![0]).toMatchObject({
      text: "The keeper's rules.",
      notes: [{ code: "file-note.pictures-unread", params: { count: 1 } }],
    });
  });

  it("with large files that can't be read keeps room for the others", async () => {
    const film = Buffer.alloc(151 * 1024 * 1024);
    const parsed = await parse(
      "a.zip",
      makeZip({ "a.mp4": film, "b.txt": film, "c.txt": "Calm." }),
    );
    expect(parsed.parts).toMatchObject([
      { name: "c.txt", notes: [{ params: { count: 2, names: "a.mp4, b.txt" } }] },
    ]);
  });

  it("is read as far as the time allows", async () => {
    let now = 0;
    const clock = jest.spyOn(performance, "now").mockImplementation(() => (now += 9_000));
    try {
      const files = Object.fromEntries([..."abcdefghij"].map((name) => [`${name}.txt`, "Calm."]));
      const { parts } = await parse("a.zip", makeZip(files));
      expect(parts!.length).toBeGreaterThan(0);
      expect(parts!.length).toBeLessThan(10);
      expect(parts![0]!.notes).toMatchObject([{ params: { count: 10 - parts!.length } }]);
    } finally {
      clock.mockRestore();
    }
  });

  it("that unpacks to too much is read up to the limit", async () => {
    const bomb = Buffer.alloc(80 * 1024 * 1024, " ");
    const parsed = await parse(
      "a.zip",
      makeZip({ "a.txt": "Calm.", "b.txt": bomb, "c.txt": bomb }),
    );
    expect(parsed.parts).toHaveLength(1);
    expect(parsed.parts![0]!.notes).toHaveLength(1);
  });
});
