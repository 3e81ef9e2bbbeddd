import {
  CarrelError,
  countVectors,
  createFolder,
  findByFileName,
  findUploaded,
  listLibraryFolder,
  moveLibraryFiles,
  readLibraryText,
  removeDocuments,
  removeFolder,
  updatePin,
  type FileItem,
} from "@carrel/contracts";
import { documentId } from "./fixture-answers.ts";
import type { TestInstance } from "./instance.ts";
import { answerTree } from "./library-answers.ts";

export const described = {
  id: documentId,
  url: "file://a.txt",
  title: "a.txt",
  docAuthor: "Unknown",
  description: "Unknown",
  docSource: "a text file uploaded by the user.",
  chunkSource: "",
  published: "11/21/2026, 12:00:00 AM",
  wordCount: 2,
};

export const file: FileItem = {
  name: "a.json",
  type: "file",
  ...described,
  token_count_estimate: 3,
  cached: false,
  canWatch: false,
  pinnedWorkspaces: [],
  watched: false,
};

export const folder = {
  folder: "custom-documents",
  documents: [file],
  totalCount: 1,
  hasMore: false,
};

/** Ingest's replies in these rows. */
export function answerDeveloperDocuments(instance: TestInstance): void {
  const { ingest } = instance;
  answerTree(instance, {
    localFiles: {
      name: "documents",
      type: "folder",
      items: [{ name: "custom-documents", type: "folder", items: [file] }],
    },
  });
  ingest
    .answer(findUploaded, {
      documents: [
        {
          ...described,
          token_count_estimate: 3,
          location: "custom-documents/a.json",
          isDirectUpload: false,
        },
      ],
      next: null,
    })
    // Cut within a surrogate pair.
    .answer(readLibraryText, (({ start }: { start: number }) =>
      start === 0
        ? { text: 'Some "text" \ud83d', next: 13 }
        : { text: "\ude00.", next: null }) as never)
    .answer(findByFileName, (({ name }: { name: string }) => {
      if (name !== "a.json") throw new CarrelError("document.not-in-workspace");
      return { document: file };
    }) as never)
    .answer(listLibraryFolder, (({ folder: name }: { folder: string }) =>
      name === "custom-documents"
        ? { files: [file], total: 1, exists: true }
        : { files: [], total: 0, exists: false }) as never)
    .answer(createFolder, (({ name }: { name: string }) => {
      if (name === "taken") throw new CarrelError("folder.taken");
      return { success: true, message: null };
    }) as never)
    .answer(removeFolder, undefined)
    .answer(removeDocuments, undefined)
    .answer(countVectors, { vectorCount: 17 })
    .answer(moveLibraryFiles, { moved: 0, held: 0, failed: 1 })
    .answer(updatePin, (({ docPath }: { docPath: string }) => {
      if (docPath !== "custom-documents/a.json") throw new CarrelError("document.not-in-workspace");
    }) as never);
}
