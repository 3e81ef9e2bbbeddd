import type { Passage } from "@carrel/contracts";
import type { DocumentPort } from "../document/document-port.ts";
import type { Tool } from "../tool.ts";
import { createListDocuments } from "./list-documents.ts";
import { createReadDocument } from "./read-document.ts";
import { createRemember } from "./remember.ts";
import { createSearchDocuments } from "./search-documents.ts";

/** Searches the workspace's documents, as far as the person may read them. May throw CarrelError. */
export interface DocumentSearchPort {
  /** Best first. */
  search(
    query: {
      query: string;
      /** Including its subfolders. */
      folder?: string;
      /** As `retrievalFilter.types`. */
      types?: string[];
      /** Added to the library from this day on, or until this day: YYYY-MM-DD. */
      from?: string;
      to?: string;
      limit: number;
    },
    signal: AbortSignal,
  ): Promise<Passage[]>;
}

/** The person's memories. May throw CarrelError. */
export interface MemoryPort {
  /** Keeps a fact about the person. @param key same for each attempt, so that it is kept once */
  remember(text: string, key: string, signal: AbortSignal): Promise<void>;
}

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
