import { Module } from "@nestjs/common";
import { BlobModule } from "../blob/blob.module.ts";
import { DocumentModule } from "../document/document.module.ts";
import { ChangePage } from "./change-page.ts";
import { DocumentEncodingHandler } from "./document-encoding.handler.ts";
import { FileMover } from "./file-mover.ts";
import { FolderHandler } from "./folder.handler.ts";
import { FolderRepository } from "./folder.repository.ts";
import { LibraryChanges } from "./library-changes.ts";
import { LibraryTree } from "./library-tree.ts";
import { LibraryFileChangeHandler } from "./library-file-change.handler.ts";
import { LibraryFileHandler } from "./library-file.handler.ts";
import { LibraryHandler } from "./library.handler.ts";
import { LibraryRepository } from "./library.repository.ts";
import { SelectionHandler } from "./selection.handler.ts";
import { SelectionResolver } from "./selection-resolver.ts";
import { UploadedDocuments } from "./uploaded-documents.ts";

@Module({
  imports: [BlobModule, DocumentModule],
  controllers: [
    DocumentEncodingHandler,
    FolderHandler,
    LibraryFileChangeHandler,
    LibraryFileHandler,
    LibraryHandler,
    SelectionHandler,
  ],
  providers: [
    ChangePage,
    FileMover,
    FolderRepository,
    LibraryChanges,
    LibraryRepository,
    LibraryTree,
    SelectionResolver,
    UploadedDocuments,
  ],
  exports: [LibraryChanges, LibraryRepository],
})
export class LibraryModule {}
