import type { DocumentPort } from "../document/document-port.ts";
import type { Tool } from "../tool.ts";
import { createListDocuments } from "./list-documents.ts";
import { createReadDocument } from "./read-document.ts";
import { createRemember, type MemoryPort } from "./remember.ts";
import { createSearchDocuments, type DocumentSearchPort } from "./search-documents.ts";

export interface RagMemoryOptions {
  search: DocumentSearchPort;
  documents: DocumentPort;
  /** null: memories are disabled, or the person has none, as visitors. */
  memory: MemoryPort | null;
}

/** Skill `rag-memory`: finds, lists and reads documents, and remembers facts about the person. */
export const createRagMemory = ({ search, documents, memory }: RagMemoryOptions): Tool[] => [
  createSearchDocuments(search),
  createListDocuments(documents),
  createReadDocument(documents),
  ...(memory === null ? [] : [createRemember(memory)]),
];
