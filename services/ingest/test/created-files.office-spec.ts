import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { libreOffice } from "@carrel/config";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { isLibreOfficeInstalled } from "../src/parsing/run-libreoffice.ts";
import { createFile, hostile, markdown, presentation, workbook } from "./created-files.ts";
import { parse } from "./parse.ts";

const isInstalled = isLibreOfficeInstalled();
if (!isInstalled)
  process.stderr.write(
    "Skipped: LibreOffice is missing. Install it (apt-get install libreoffice-writer-nogui libreoffice-calc-nogui libreoffice-impress-nogui), or set CARREL_LIBREOFFICE.\n",
  );

(isInstalled ? describe : describe.skip)("created files in LibreOffice", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "created-files-"));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  /** Opens the file, and reads what LibreOffice shows of it. */
  async function open(tool: string, input: unknown): Promise<string> {
    const { name, bytes } = await createFile(tool, input);
    await writeFile(join(folder, name), bytes);
    const profile = pathToFileURL(join(folder, "profile")).href;
    const convert = ["--headless", "--convert-to", "pdf", "--outdir", folder, join(folder, name)];
    await promisify(execFile)(libreOffice(), [`-env:UserInstallation=${profile}`, ...convert]);
    const shown = name.replace(/\.\w+$/, ".pdf");
    const { text } = await parse(shown, await readFile(join(folder, shown)));
    return text.replace(/\s+/g, " ");
  }

  it("opens Word files", async () => {
    const text = await open("create-docx-file", { name: "Report", content: markdown });
    for (const words of [
      "Quarterly report",
      "Кириллица",
      "1,200",
      hostile.slice(0, 20),
      "Nested one",
    ])
      expect(text).toContain(words);
  });

  it("opens workbooks, and computes their formulas", async () => {
    const text = await open("create-excel-file", workbook);
    for (const words of ["2026-01-02", "25.00", "19.50", "=cmd|", "007"])
      expect(text).toContain(words);
  });

  it("opens presentations", async () => {
    const text = await open("create-pptx-presentation", presentation);
    for (const words of [
      "Review of 2026",
      "First point",
      "nested",
      "Row 39",
      "Point 59",
      "A radar chart",
    ])
      expect(text).toContain(words);
  });
});
