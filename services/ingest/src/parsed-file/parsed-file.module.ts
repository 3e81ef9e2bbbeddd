import { Module } from "@nestjs/common";
import { BlobModule } from "../blob/blob.module.ts";
import { DocumentModule } from "../document/document.module.ts";
import { ParsedFileRemover } from "./parsed-file-remover.ts";
import { ParsedFileHandler } from "./parsed-file.handler.ts";
import { ParsedFileRepository } from "./parsed-file.repository.ts";
import { UserOrphanReconciler } from "./user-orphan.reconciler.ts";

@Module({
  imports: [BlobModule, DocumentModule],
  controllers: [ParsedFileHandler],
  providers: [ParsedFileRemover, ParsedFileRepository, UserOrphanReconciler],
  exports: [ParsedFileRepository],
})
export class ParsedFileModule {}
