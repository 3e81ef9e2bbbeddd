import { execFile } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const limits = { timeout: 60_000, maxBuffer: 256 * 1024 * 1024 };

/** Another program that extracts text, used if it is in PATH. The first that fits is taken. */
interface Reference {
  command: string;
  extensions: string[];
  read(file: string): Promise<string>;
}

const printed =
  (command: string, ...options: string[]) =>
  async (file: string): Promise<string> =>
    (await run(command, [...options, file], limits)).stdout;

/** LibreOffice writes files, one for each sheet. */
const converted =
  (command: string, filter: string) =>
  async (file: string): Promise<string> => {
    const folder = await mkdtemp(path.join(tmpdir(), "carrel-corpus-"));
    try {
      await run(command, ["--headless", "--convert-to", filter, "--outdir", folder, file], limits);
      const texts = (await readdir(folder)).map((name) =>
        readFile(path.join(folder, name), "utf8"),
      );
      return (await Promise.all(texts)).join("\n");
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  };

const csvOfAllSheets =
  "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,false,false,false,-1";
const texts = [".doc", ".docx", ".odt", ".rtf"];
const sheets = [".xls", ".xlsx", ".xlsb", ".ods"];

const references: Reference[] = [
  {
    command: "pdftotext",
    extensions: [".pdf"],
    read: async (file) => (await run("pdftotext", ["-q", file, "-"], limits)).stdout,
  },
  {
    command: "pandoc",
    extensions: [".docx", ".odt", ".rtf", ".epub", ".html", ".xhtml", ".md", ".ipynb"],
    read: printed("pandoc", "--to=plain", "--wrap=none"),
  },
  ...["libreoffice", "soffice"].flatMap((command) => [
    { command, extensions: texts, read: converted(command, "txt:Text (encoded):UTF8") },
    { command, extensions: sheets, read: converted(command, csvOfAllSheets) },
  ]),
  { command: "antiword", extensions: [".doc"], read: printed("antiword") },
  { command: "catdoc", extensions: [".doc"], read: printed("catdoc", "-d", "utf-8") },
  { command: "catppt", extensions: [".ppt"], read: printed("catppt", "-d", "utf-8") },
  { command: "xls2csv", extensions: [".xls"], read: printed("xls2csv", "-d", "utf-8") },
  { command: "xlsx2csv", extensions: [".xlsx"], read: printed("xlsx2csv", "--all") },
  {
    command: "docx2txt",
    extensions: [".docx"],
    read: async (file) => (await run("docx2txt", [file, "-"], limits)).stdout,
  },
];

const isInPath = (command: string): boolean =>
  (process.env.PATH ?? "").split(path.delimiter).some((folder) => {
    try {
      accessSync(path.join(folder, command), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
const installed = references.filter(({ command }) => isInPath(command));
export const installedCommands = [...new Set(installed.map(({ command }) => command))];

const wordsOf = (text: string): Set<string> =>
  new Set(
    text
      .normalize("NFKC")
      .toLowerCase()
      .match(/[\p{L}\p{N}]{2,}/gu),
  );

/**
 * The share of a reference's different words that our text has, and the reference's name; null
 * without a reference, or if it finds no words or fails.
 */
export async function compareWithReference(
  file: string,
  text: string,
): Promise<{ reference: string; found: number } | null> {
  const extension = path.extname(file).toLowerCase();
  const reference = installed.find(({ extensions }) => extensions.includes(extension));
  if (!reference) return null;
  const expected = wordsOf(await reference.read(file).catch(() => ""));
  if (expected.size === 0) return null;
  const ours = wordsOf(text);
  const found = [...expected].filter((word) => ours.has(word)).length;
  return { reference: reference.command, found: found / expected.size };
}
