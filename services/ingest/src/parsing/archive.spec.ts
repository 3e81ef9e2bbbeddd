import { describe, expect, it } from "@jest/globals";
import JSZip from "jszip";
import { makeDocx } from "../../test/fixtures/make-docx.ts";
import { makeEpub, makeOdf, makePptx, makeWorkbook } from "../../test/fixtures/make-office.ts";
import { parse, reason } from "../../test/parse.ts";
import { trimArchive } from "./archive.ts";

const files = {
  docx: () => makeDocx([{ text: "Herring" }]),
  pptx: async () => makePptx([{ title: "Herring" }]),
  xlsx: () =>
    makeWorkbook(
      {
        Sheet: [
          ["Herring", "Tons"],
          ["4", "5"],
        ],
      },
      "xlsx",
    ),
  odt: async () => makeOdf("text", "<text:p>Herring</text:p>"),
  odp: async () => makeOdf("presentation", '<draw:page draw:name="Herring"/>'),
  ods: () =>
    makeWorkbook(
      {
        Sheet: [
          ["Herring", "Tons"],
          ["4", "5"],
        ],
      },
      "ods",
    ),
  epub: async () => makeEpub(["<p>Herring</p>"]),
};

describe("archives with something around them", () => {
  it.each(Object.entries(files))("are read as %s", async (extension, make) => {
    const file = await make();
    for (const bytes of [
      Buffer.concat([file, Buffer.from("\n")]),
      Buffer.concat([file, Buffer.alloc(70_000)]),
      Buffer.concat([Buffer.from("\r\n"), file]),
      Buffer.concat([Buffer.from("X-Gateway: scanned\r\n\r\n"), file, Buffer.from("--end--")]),
    ])
      expect((await parse(`a.${extension}`, bytes)).text).toContain("Herring");
  });

  it("keep their comment, unless it is cut off", async () => {
    const file = await new JSZip()
      .file("a.txt", "x")
      .generateAsync({ type: "nodebuffer", comment: "made by hand" });
    expect(trimArchive(Buffer.concat([file, Buffer.from("\n")]))).toEqual(file);
    const cut = trimArchive(file.subarray(0, -4));
    expect(cut.subarray(-2)).toEqual(Buffer.from([0, 0]));
    expect(cut).toHaveLength(file.length - "made by hand".length);
  });

  it("stay as they are without a directory", () => {
    const bytes = Buffer.from("PK but no archive");
    expect(trimArchive(bytes)).toBe(bytes);
    expect(trimArchive(Buffer.alloc(0))).toHaveLength(0);
  });

  it("may be streamed, have names in another case, and parts with percent signs", async () => {
    const zip = await JSZip.loadAsync(await makeDocx([{ text: "Herring" }]));
    const body = await zip.file("word/document.xml")!.async("nodebuffer");
    const styles = await zip.file("word/styles.xml")!.async("nodebuffer");
    zip.remove("word").file("Word/Document.xml", body).file("word/STYLES.xml", styles);
    expect(
      (await parse("a.docx", await zip.generateAsync({ type: "nodebuffer", streamFiles: true })))
        .text,
    ).toBe("Herring");
  });

  it("are refused if they are protected", async () => {
    const locked = Buffer.from(await makeDocx([{ text: "Herring" }]));
    // Sets the flag for encryption in the directory's entries of files.
    for (
      let at = locked.indexOf("PK\u0001\u0002");
      at >= 0;
      at = locked.indexOf("PK\u0001\u0002", at + 4)
    )
      if (locked.readUInt32LE(at + 20) > 0) locked[at + 8]! |= 1;
    expect(await reason("a.docx", locked)).toBe("The Word document is password-protected.");
  });

  it("are read if a part's name points outside", async () => {
    const zip = await JSZip.loadAsync(await makeDocx([{ text: "Herring" }]));
    const escaping = await zip.file("xx/evil.xml", "<a/>").generateAsync({ type: "nodebuffer" });
    for (let at = escaping.indexOf("xx/evil"); at >= 0; at = escaping.indexOf("xx/evil", at + 1))
      escaping.write("..", at);
    expect((await parse("a.docx", escaping)).text).toBe("Herring");
  });
});
