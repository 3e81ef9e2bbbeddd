import { Module } from "@nestjs/common";
import { BlobModule } from "../blob/blob.module.ts";
import { DocumentLanguageRepository } from "./document-language.repository.ts";
import { DocumentOwnerTransfer } from "./document-owner.transfer.ts";
import { DocumentProgress } from "./document-progress.ts";
import { DocumentReader } from "./document-reader.ts";
import { DocumentRemover } from "./document-remover.ts";
import { DocumentRepository } from "./document.repository.ts";
import { LibraryNotice } from "./library-notice.ts";
import { WorkspaceOrphanReconciler } from "./workspace-orphan.reconciler.ts";
import { TextRepository } from "./text.repository.ts";
import { WorkspaceDocumentRemoval } from "./workspace-document-removal.ts";
import { WorkspaceDocumentRepository } from "./workspace-document.repository.ts";

@Module({
  imports: [BlobModule],
  providers: [
    DocumentLanguageRepository,
    DocumentOwnerTransfer,
    DocumentProgress,
    DocumentReader,
    DocumentRemover,
    DocumentRepository,
    LibraryNotice,
    WorkspaceOrphanReconciler,
    TextRepository,
    WorkspaceDocumentRemoval,
    WorkspaceDocumentRepository,
  ],
  exports: [
    DocumentLanguageRepository,
    DocumentProgress,
    DocumentReader,
    DocumentRemover,
    DocumentRepository,
    LibraryNotice,
    TextRepository,
    WorkspaceDocumentRemoval,
    WorkspaceDocumentRepository,
  ],
})
export class DocumentModule {}
