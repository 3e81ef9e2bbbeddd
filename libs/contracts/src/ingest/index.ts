import type { Contracts } from "../operation.ts";
import { documentAccessContracts } from "./document-access.ts";
import { documentJobContracts } from "./document-job.ts";
import { documentLookupContracts } from "./document-lookup.ts";
import { documentRevisionContracts } from "./document-revision.ts";
import { documentTextContracts } from "./document-text.ts";
import { documentVersionContracts } from "./document-version.ts";
import { documentContracts } from "./document.ts";
import { folderContracts } from "./folder.ts";
import { indexBuildContracts } from "./index-build.ts";
import { libraryFileContracts } from "./library-file.ts";
import { libraryContracts } from "./library.ts";
import { modelUseContracts } from "./model-use.ts";
import { parsedFileContracts } from "./parsed-file.ts";
import { passageContracts } from "./passage.ts";
import { processorContracts } from "./processor.ts";
import { progressContracts } from "./progress.ts";
import { uploadContracts } from "./upload.ts";
import { vectorContracts } from "./vector.ts";
import { watchedDocumentContracts } from "./watched-document.ts";
import { workspaceDocumentContracts } from "./workspace-document.ts";
import { workspaceSelectionContracts } from "./workspace-selection.ts";

export * from "./document.ts";
export * from "./document-access.ts";
export * from "./document-job.ts";
export * from "./document-lookup.ts";
export * from "./document-revision.ts";
export * from "./document-source.ts";
export * from "./document-text.ts";
export * from "./document-version.ts";
export * from "./folder.ts";
export * from "./index-build.ts";
export * from "./library.ts";
export * from "./library-file.ts";
export * from "./parsed-file.ts";
export * from "./model-use.ts";
export * from "./passage.ts";
export * from "./processor.ts";
export * from "./progress.ts";
export * from "./search-trace.ts";
export * from "./upload.ts";
export * from "./vector.ts";
export * from "./watched-document.ts";
export * from "./workspace-document.ts";
export * from "./workspace-selection.ts";

export const ingestServiceContracts: readonly Contracts[] = [
  documentContracts,
  documentAccessContracts,
  documentJobContracts,
  documentLookupContracts,
  documentRevisionContracts,
  documentTextContracts,
  documentVersionContracts,
  modelUseContracts,
  folderContracts,
  indexBuildContracts,
  libraryContracts,
  libraryFileContracts,
  parsedFileContracts,
  passageContracts,
  processorContracts,
  progressContracts,
  uploadContracts,
  vectorContracts,
  watchedDocumentContracts,
  workspaceDocumentContracts,
  workspaceSelectionContracts,
];
