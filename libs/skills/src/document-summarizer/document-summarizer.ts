import { clipText } from "@carrel/contracts";
import { z } from "zod";
import type { DocumentPort } from "../document/document-port.ts";
import { documentSource, findDocument } from "../document/find-document.ts";
import { readRange } from "../document/read-range.ts";
import { onOneLine, withoutHidden } from "../plain-text.ts";
import { toolFault } from "../tool-fault.ts";
import type { ModelPort, Tool } from "../tool.ts";
import { budgetOf, summarizePieces } from "./map-reduce.ts";
import { splitDocument } from "./split-document.ts";

/** Of a longer document, only so many pieces are summarised: each is a call of the model. */
const maxPieces = 100;

const input = z.object({
  document: z.string().describe("The document's id or title, as listed or found."),
  focus: z.string().optional().describe("What the summary should be about, if not everything."),
});

type SummaryInput = z.infer<typeof input>;

export interface DocumentSummarizerOptions {
  documents: Pick<DocumentPort, "find" | "text">;
  model: ModelPort;
}

/**
 * Skill `document-summarizer`: summarises a document of any length with the run's model, piece by
 * piece if it is longer than the context window.
 */
export function createDocumentSummarizer({ documents, model }: DocumentSummarizerOptions): Tool[] {
  const tool: Tool<SummaryInput> = {
    skill: "document-summarizer",
    name: "summarize-document",
    description:
      "Summarizes a whole document, however long, with the pages where it says what. It takes a while for long documents. For a single fact, search-documents is faster.",
    input,
    effect: "none",
    isUntrusted: true,
    isRepeatable: true,
    approval: "never",
    object: ({ document }) => onOneLine(clipText(document, 200)),
    async run({ document, focus = "" }, call) {
      const entry = await findDocument(documents, document, call.signal);
      const { bytes } = budgetOf(model);
      const read = await readRange(
        documents,
        entry.id,
        { from: 0, to: entry.length, mostBytes: bytes * maxPieces },
        call.signal,
      );
      if (read.text.trim() === "")
        throw toolFault({ code: "file.no-text", params: { filename: onOneLine(entry.title) } });
      // Marks of pages and the line above a piece need some room.
      const charactersPerByte = read.text.length / Buffer.byteLength(read.text);
      const size = Math.max(200, Math.floor(bytes * 0.9 * charactersPerByte));
      const pieces = (await splitDocument(read, size)).slice(0, maxPieces);
      const summary = await summarizePieces({
        title: onOneLine(entry.title),
        pieces,
        focus: clipText(onOneLine(focus), 500),
        model,
        signal: call.signal,
        progress: (done, total) => call.progress(done, total),
      });
      if (summary === "")
        throw toolFault(
          { code: "document.summary-empty", params: { title: onOneLine(entry.title) } },
          "Try again, or read the document in parts.",
        );
      const share = Math.floor((100 * read.end) / entry.length);
      return {
        text: [
          `Summary of ${onOneLine(entry.title)} (id ${entry.id}); cite it as [${call.nextSource}].`,
          ...(read.end < entry.length
            ? [`It is so long that only the first ${share} % were summarized.`]
            : []),
          "",
          withoutHidden(summary),
        ].join("\n"),
        sources: [documentSource(entry, read)],
      };
    },
  };
  return [tool as Tool];
}
