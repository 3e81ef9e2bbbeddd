import { describe, expect, it } from "@jest/globals";
import { makeEpub, makeWorkbook, makeZip } from "../../test/fixtures/make-office.ts";
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
