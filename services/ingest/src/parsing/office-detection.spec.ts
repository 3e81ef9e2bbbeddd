import { describe, expect, it } from "@jest/globals";
import { makeCompound, makePptx, makeZip } from "../../test/fixtures/make-office.ts";
import { parse } from "../../test/parse-recognised.ts";

process.env.CARREL_LIBREOFFICE = "/nonexistent";

describe("Office files under other names", () => {
  it("are read by their content", async () => {
    expect((await parse("a.docx", makePptx([{ title: "Hi" }]))).format).toBe("pptx");
    expect((await parse("table.xls", "a\tb\n1\t2")).format).toBe("text");
    expect(
      (await parse("table.xls", "<html><body><table><tr><td>cell</td></tr></table></body></html>"))
        .format,
    ).toBe("html");
  });

  it("say why they cannot be read", async () => {
    const reasons = await Promise.all(
      [
        parse("a.xlsx", await makeCompound(["EncryptionInfo", "EncryptedPackage"])),
        parse("a.docx", await makeCompound(["EncryptionInfo", "EncryptedPackage"])),
        parse("a.doc", await makeCompound(["WordDocument"])),
        parse("a.ppt", await makeCompound(["PowerPoint Document"])),
        parse("a.msg", await makeCompound(["__substg1.0_0037001F"])),
        parse("a.pptx", makeZip({ "readme.txt": "x" })),
      ].map((result) =>
        result.then(
          () => "read",
          (fault: Error) => fault.message,
        ),
      ),
    );
    expect(reasons).toEqual([
      "The spreadsheet is password-protected.",
      "The Word document is password-protected.",
      "The Word document is damaged or incomplete.",
      "The presentation is in the old .ppt format. Install LibreOffice on the server, or save the presentation as .pptx.",
      "No text content found in a.msg.",
      "The file is a ZIP archive that doesn't contain a presentation.",
    ]);
  });
});
