import { describe, expect, it } from "@jest/globals";
import { cleanFileName } from "./file-name.ts";

describe("cleanFileName", () => {
  it.each([
    ["report.pdf", "report.pdf"],
    ["../../etc/passwd", "passwd"],
    ["C:\\Users\\me\\notes.txt", "notes.txt"],
    ['a<b>:"|?*c.txt', "abc.txt"],
    ["\u201cquoted\u201d.md", "quoted.md"],
    ["line\nbreak\u0000.txt", "linebreak.txt"],
    [Buffer.from("Übersicht – 日本.pdf").toString("latin1"), "Übersicht – 日本.pdf"],
    ["Übersicht.pdf", "Übersicht.pdf"],
    ["..", "file"],
    ["", "file"],
    ["/", "file"],
    [".htaccess", "htaccess"],
  ])("%j becomes %j", (given, clean) => {
    expect(cleanFileName(given)).toBe(clean);
  });

  it("keeps the extension of a name that is too long", () => {
    const name = cleanFileName(`${"ü".repeat(400)}.pdf`);
    expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
    expect(name.endsWith("ü.pdf")).toBe(true);
  });
});
