import { clipText } from "@carrel/contracts";
import { z } from "zod";
import type { DocumentEntry, DocumentPort } from "../document/document-port.ts";
import { onOneLine } from "../plain-text.ts";
import { withToolFaults } from "../tool-fault.ts";
import type { Tool } from "../tool.ts";

const pageLength = 50;

const input = z.object({
  name: z.string().optional().describe("Only documents whose title contains this."),
  folder: z.string().optional().describe("Only in this folder and its subfolders."),
  type: z.string().optional().describe("Only this type: pdf, word, sheet, or a file extension."),
  page: z.number().int().min(1).max(10_000).optional().describe("Page of the list. Default: 1."),
});

type ListInput = z.infer<typeof input>;

const given = (text: string | undefined): string | null => {
  const plain = clipText(text?.trim() ?? "", 255);
  return plain === "" ? null : plain;
};

export function createListDocuments(documents: Pick<DocumentPort, "list">): Tool {
  const tool: Tool<ListInput> = {
    skill: "rag-memory",
    name: "list-documents",
    description:
      "Lists the workspace's documents, newest first, with their ids. Use it to find out what there is, and for questions about the documents themselves.",
    input,
    effect: "none",
    // Titles are written by whoever added the documents.
    isUntrusted: true,
    isRepeatable: true,
    approval: "never",
    object: ({ name, folder }) => given(name) ?? given(folder),
    async run({ name, folder, type, page = 1 }, call) {
      const offset = (page - 1) * pageLength;
      const filter = { name: given(name) ?? "", folder: given(folder), type: given(type) };
      const found = await withToolFaults(
        documents.list({ ...filter, offset, limit: pageLength }, call.signal),
      );
      if (found.total === 0) return { text: "There are no such documents." };
      const last = offset + found.documents.length;
      return {
        text: [
          `Documents ${Math.min(offset + 1, last)} to ${last} of ${found.total}:`,
          ...found.documents.map(describeEntry),
          ...(last < found.total ? [`More are on page ${page + 1}.`] : []),
        ].join("\n"),
      };
    },
  };
  return tool as Tool;
}

const describeEntry = (entry: DocumentEntry): string =>
  `- ${onOneLine(entry.title)} (${[
    `id ${entry.id}`,
    ...(entry.folder === null ? [] : [`folder ${onOneLine(entry.folder)}`]),
    entry.type,
    ...(entry.pages === null ? [] : [`${entry.pages} pages`]),
    `${entry.wordCount} words`,
    `added ${clipText(entry.addedAt, 10)}`,
  ].join(", ")})`;
