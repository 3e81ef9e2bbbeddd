import { describe, expect, it } from "@jest/globals";
import { parse, headingsOf } from "../../test/parse.ts";

describe("text and its encodings", () => {
  it("reads UTF-8 with and without a byte order mark, UTF-16 in both byte orders, and Latin-1", async () => {
    const text = "Grüße aus Köln, 10 €";
    const utf16 = Buffer.from(`\ufeff${text}`, "utf16le");
    for (const bytes of [
      Buffer.from(text),
      Buffer.from(`\ufeff${text}`),
      utf16,
      Buffer.from(utf16).swap16(),
      Buffer.from(text, "utf16le"),
    ]) {
      expect((await parse("a.txt", bytes)).text).toBe(text);
    }
    expect((await parse("a.txt", Buffer.from("Grüße aus Köln", "latin1"))).text).toBe(
      "Grüße aus Köln",
    );
  });

  it("normalises newlines and drops characters that PostgreSQL can't store", async () => {
    expect((await parse("a.txt", "one\r\ntwo\rthree\n")).text).toBe("one\ntwo\nthree");
  });

  it("accepts text under an unknown extension, and a name without one", async () => {
    expect((await parse("notes.xyz", "Call the plumber.")).format).toBe("text");
    expect((await parse("LICENSE", "Permission is hereby granted")).format).toBe("text");
  });
});

describe("Markdown", () => {
  it("finds both kinds of headings, but not inside code", async () => {
    const parsed = await parse(
      "a.md",
      "# One\n\ntext\n\nTwo\n---\n\n```sh\n# not a heading\n```\n\n### Th*re*e ###\nend",
    );
    expect(
      headingsOf({ ...parsed, headings: parsed.headings.filter((h) => h.title !== "Three") }),
    ).toEqual(["1 One", "2 Two"]);
    expect(parsed.headings.at(-1)).toMatchObject({ level: 3, title: "Three" });
  });

  it("takes front matter for no heading, and wiki links in headings for their text", async () => {
    const text =
      "---\ntags: [a, b]\ntitle: One\n---\n# About [[Folder/Note|notes]] and [[Links]]\n";
    const parsed = await parse("a.md", text);
    expect(headingsOf(parsed)).toEqual(["1 About notes and Links"]);
    expect(parsed.text).toBe(text.trimEnd());
    for (const rule of ["---\n\nOne\n===\n\ntext", "---\n# One\n\n---\ntext"])
      expect(headingsOf(await parse("a.md", rule))).toEqual(["1 One"]);
  });
});
