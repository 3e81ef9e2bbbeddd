import { readSheets, type SheetInput } from "./sheet-input.ts";
import type { SlideInput } from "./slides-input.ts";

/** A file to write, as it can be sent to a thread. */
export type FileJob =
  | { kind: "pdf" | "docx"; title: string; markdown: string }
  | { kind: "xlsx"; sheets: SheetInput[] }
  | { kind: "pptx"; title: string; slides: SlideInput[] };

export interface WrittenFile {
  bytes: Uint8Array;
  /** What it contains, for the model. */
  about: string;
}

const counted = (count: number, one: string, many: string): string =>
  `${count.toLocaleString("en")} ${count === 1 ? one : many}`;

/** Throws ToolError. */
export async function writeFile(job: FileJob, signal: AbortSignal): Promise<WrittenFile> {
  switch (job.kind) {
    case "pdf": {
      const { writePdf } = await import("./write-pdf.ts");
      const { bytes, pages, missing } = await writePdf(job, signal);
      const left =
        missing === 0 ? "" : `; ${counted(missing, "sign", "signs")} such as emoji left out`;
      return { bytes, about: `${counted(pages, "page", "pages")}${left}` };
    }
    case "docx": {
      const { writeDocx } = await import("./write-docx.ts");
      return { bytes: await writeDocx(job, signal), about: "" };
    }
    case "xlsx": {
      const sheets = readSheets(job.sheets);
      const { writeXlsx } = await import("./write-xlsx.ts");
      const rows = sheets.reduce((sum, sheet) => sum + sheet.rows.length, 0);
      return {
        bytes: await writeXlsx(sheets, signal),
        about: `${counted(sheets.length, "sheet", "sheets")}, ${counted(rows, "row", "rows")}`,
      };
    }
    case "pptx": {
      const { writePptx } = await import("./write-pptx.ts");
      const { bytes, slides } = await writePptx(job, signal);
      return { bytes, about: counted(slides, "slide", "slides") };
    }
  }
}
