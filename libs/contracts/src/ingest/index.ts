import type { Contracts } from "../registry.ts";
import { contextTextContracts } from "./context-text.ts";
import { documentEncodingContracts } from "./document-encoding.ts";
import { documentEventContracts } from "./document-event.ts";
import { documentJobContracts } from "./document-job.ts";
import { documentJsonContracts } from "./document-json.ts";
import { documentSearchContracts } from "./document-search.ts";
import { documentTextContracts } from "./document-text.ts";
import { documentContracts } from "./document.ts";
import { folderContracts } from "./folder.ts";
import { indexBuildContracts } from "./index-build.ts";
import { libraryFileContracts } from "./library-file.ts";
import { libraryContracts } from "./library.ts";
import { modelUseContracts } from "./model-use.ts";
import { originalContracts } from "./original.ts";
import { parsedFileContracts } from "./parsed-file.ts";
import { passageContracts } from "./passage.ts";
import { processorContracts } from "./processor.ts";
import { progressContracts } from "./progress.ts";
import { retrievalFacetContracts } from "./retrieval-facet.ts";
import { searchStateContracts } from "./search-state.ts";
import { uploadContracts } from "./upload.ts";
import { vectorContracts } from "./vector.ts";
import { workspaceDocumentReadContracts } from "./workspace-document-read.ts";
import { workspaceDocumentContracts } from "./workspace-document.ts";
import { workspaceSelectionContracts } from "./workspace-selection.ts";

export * from "./context-text.ts";
export * from "./document.ts";
export * from "./document-encoding.ts";
export * from "./document-event.ts";
export * from "./document-job.ts";
export * from "./document-json.ts";
export * from "./document-search.ts";
export * from "./document-source.ts";
export * from "./document-text.ts";
export * from "./folder.ts";
export * from "./index-build.ts";
export * from "./library.ts";
export * from "./library-file.ts";
export * from "./original.ts";
export * from "./parsed-file.ts";
export * from "./model-use.ts";
export * from "./passage.ts";
export * from "./processor.ts";
export * from "./progress.ts";
export * from "./proven-endings.ts";
export * from "./retrieval-facet.ts";
export * from "./search-state.ts";
export * from "./search-trace.ts";
export * from "./upload.ts";
export * from "./vector.ts";
export * from "./workspace-document.ts";
export * from "./workspace-document-read.ts";
export * from "./workspace-selection.ts";

export const ingestServiceContracts: readonly Contracts[] = [
  contextTextContracts,
  documentContracts,
  documentEncodingContracts,
  documentEventContracts,
  documentJobContracts,
  documentJsonContracts,
  documentSearchContracts,
  documentTextContracts,
  modelUseContracts,
  folderContracts,
  indexBuildContracts,
  libraryContracts,
  libraryFileContracts,
  originalContracts,
  parsedFileContracts,
  passageContracts,
  processorContracts,
  progressContracts,
  retrievalFacetContracts,
  searchStateContracts,
  uploadContracts,
  vectorContracts,
  workspaceDocumentContracts,
  workspaceDocumentReadContracts,
  workspaceSelectionContracts,
];
