import { z } from "zod";
import type { FileKeeper, Tool, ToolCall, ToolResult } from "../tool.ts";
import { checkSize, cleanText, fileNameOf, sizeText } from "./file-name.ts";
import { writeFileInThread } from "./file-thread.ts";
import { sheetsInput } from "./sheet-input.ts";
import { slidesInput } from "./slides-input.ts";
import { writeTextFile, type TextFile } from "./text-file.ts";

const mimes = {
  pdf: "application/pdf",
  docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  pptx: "application/vnd.openxmlformats-officedocument.presentationml.presentation",
} as const;

const name = z.string().describe("The file's name");
const title = z.string().max(500).optional().describe("At the top of the document");
const markdown = z
  .string()
  .describe(
    "Markdown: headings, lists, tables, code, quotes, links, bold and italic. Pictures become links",
  );

/** Others' names of fields that models use instead. */
const renamed = <T extends z.ZodType>(
  schema: T,
  names: Readonly<Record<string, readonly string[]>>,
) =>
  z.preprocess((given: unknown) => {
    if (typeof given !== "object" || given === null || Array.isArray(given)) return given;
    const fields: Record<string, unknown> = { ...given };
    for (const [field, others] of Object.entries(names))
      for (const other of others) fields[field] ??= fields[other];
    return Object.fromEntries(
      Object.entries(fields).filter(([, value]) => value !== null && value !== undefined),
    );
  }, schema);

const names = { name: ["filename", "fileName", "file_name", "title"] };
const contents = { content: ["markdown", "text", "body"] };

const textInput = renamed(
  z.object({
    name: name.describe("With its extension, such as notes.md, data.csv, page.html or script.py"),
    content: z.string(),
    format: z.string().optional().describe("The extension, if the name has none"),
  }),
  { name: ["filename", "fileName", "file_name"], ...contents, format: ["extension", "type"] },
);
const documentInput = renamed(z.object({ name, title, content: markdown }), {
  ...names,
  ...contents,
});
const excelInput = renamed(z.object({ name, sheets: sheetsInput }), {
  ...names,
  sheets: ["sheet", "worksheets"],
});
const slidesFileInput = renamed(z.object({ name, title, slides: slidesInput }), names);

interface Made extends TextFile {
  /** What it contains, for the model. */
  about: string;
}

const plainTitle = (text: string | undefined): string =>
  cleanText(text ?? "")
    .replace(/\s+/g, " ")
    .trim();

/** Makes files for the person to download. It fetches nothing and needs no settings. */
export function createFilesSkill(files: FileKeeper): Tool[] {
  const tool = <Input extends { name: string }>(o: {
    name: string;
    description: string;
    input: z.ZodType<Input>;
    fileName: (input: Input) => string;
    make: (input: Input, call: ToolCall) => Promise<Made>;
  }): Tool =>
    ({
      skill: "create-files-agent",
      name: o.name,
      description: o.description,
      input: o.input,
      effect: "none",
      isUntrusted: false,
      isRepeatable: true,
      approval: "never",
      object: o.fileName,
      run: async (input: Input, call: ToolCall): Promise<ToolResult> => {
        const { about, ...file } = await o.make(input, call);
        checkSize(file.bytes);
        call.signal.throwIfAborted();
        const output = await files.keep(file);
        return {
          text: `Created "${file.name}" (${[about, sizeText(file.bytes.length)].filter(Boolean).join(", ")}). The person can download it from the answer; don't write a link to it.`,
          outputs: [output],
        };
      },
    }) satisfies Tool<Input> as Tool;
  const ending =
    (extension: keyof typeof mimes, fallback: string, others: string[] = []) =>
    (input: { name: string }): string =>
      fileNameOf(input.name, extension, others, fallback);
  const pdfName = ending("pdf", "Document");
  const docxName = ending("docx", "Document", ["doc"]);
  const xlsxName = ending("xlsx", "Workbook", ["xls"]);
  const pptxName = ending("pptx", "Presentation", ["ppt"]);
  return [
    tool({
      name: "create-text-file",
      description:
        "Creates a text file for the person to download: plain text, Markdown, CSV, JSON, HTML or source code.",
      input: textInput,
      fileName: ({ name: given }) => fileNameOf(given, "txt").replace(/\.txt$/, ""),
      make: async (input) => ({ ...writeTextFile(input), about: "" }),
    }),
    tool({
      name: "create-pdf-file",
      description:
        "Creates a PDF from Markdown for the person to download. Latin, Greek and Cyrillic scripts only; for others create a Word file.",
      input: documentInput,
      fileName: pdfName,
      make: async (input, { signal }) => ({
        ...(await writeFileInThread(
          { kind: "pdf", title: plainTitle(input.title), markdown: input.content },
          signal,
        )),
        name: pdfName(input),
        mime: mimes.pdf,
      }),
    }),
    tool({
      name: "create-docx-file",
      description:
        "Creates a Word document from Markdown for the person to download, in any script.",
      input: documentInput,
      fileName: docxName,
      make: async (input, { signal }) => ({
        ...(await writeFileInThread(
          { kind: "docx", title: plainTitle(input.title), markdown: input.content },
          signal,
        )),
        name: docxName(input),
        mime: mimes.docx,
      }),
    }),
    tool({
      name: "create-excel-file",
      description:
        "Creates an Excel workbook with one or more sheets for the person to download, with typed numbers and dates, and formulas that compute.",
      input: excelInput,
      fileName: xlsxName,
      make: async (input, { signal }) => ({
        ...(await writeFileInThread({ kind: "xlsx", sheets: input.sheets }, signal)),
        name: xlsxName(input),
        mime: mimes.xlsx,
      }),
    }),
    tool({
      name: "create-pptx-presentation",
      description:
        "Creates a PowerPoint presentation for the person to download: slides with points, tables, charts and notes. Points, tables and charts that don't fit on a slide are continued on the next.",
      input: slidesFileInput,
      fileName: pptxName,
      make: async (input, { signal }) => ({
        ...(await writeFileInThread(
          { kind: "pptx", title: plainTitle(input.title), slides: input.slides },
          signal,
        )),
        name: pptxName(input),
        mime: mimes.pptx,
      }),
    }),
  ];
}
