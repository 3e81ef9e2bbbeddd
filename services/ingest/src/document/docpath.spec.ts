import { describe, expect, it } from "@jest/globals";
import { buildDocpath, cleanFilename, cleanFolder } from "./docpath.ts";

describe("document names", () => {
  it.each([
    ["../../etc/passwd", "passwd"],
    ["C:\\Users\\a\\report.pdf", "report.pdf"],
    ['a<b>:"c|d?*.txt', "abcd.txt"],
    ["“quoted”.md", "quoted.md"],
    ["", "document"],
    ["..", "document"],
    [".hidden", "hidden"],
    ["a\u0000b\n.txt", "ab.txt"],
  ])("clean %j", (name, clean) => {
    expect(cleanFilename(name)).toBe(clean);
  });
  it("become one path that no user string can escape", () => {
    expect(
      buildDocpath({ folder: "custom-documents", filename: "Über uns (final).DOCX", id: "x" }),
    ).toBe("custom-documents/über-uns-final-.docx-x.json");
    expect(buildDocpath({ folder: "f", filename: "???", id: "x", prefix: "url-" })).toBe(
      "f/url-document-x.json",
    );
    expect(cleanFolder(undefined)).toBe("custom-documents");
    expect(cleanFolder("../x/..")).toBe("x");
    expect(cleanFolder("Contracts/2026")).toBe("Contracts/2026");
    expect(cleanFolder(" // .. ")).toBe("custom-documents");
  });
});
