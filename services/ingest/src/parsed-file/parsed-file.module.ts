import { Module } from "@nestjs/common";
import { BlobModule } from "../blob/blob.module.ts";
import { DocumentModule } from "../document/document.module.ts";
import { IntakeModule } from "../intake/intake.module.ts";
import { ParsedFileRemover } from "./parsed-file-remover.ts";
import { ParsedFileHandler } from "./parsed-file.handler.ts";
import { ParsedFileRepository } from "./parsed-file.repository.ts";
import { ThreadFileParser } from "./thread-file-parser.ts";
import { UserOrphanReconciler } from "./user-orphan.reconciler.ts";

@Module({
  imports: [BlobModule, DocumentModule, IntakeModule],
  controllers: [ParsedFileHandler],
  providers: [ParsedFileRemover, ParsedFileRepository, ThreadFileParser, UserOrphanReconciler],
  exports: [ParsedFileRepository],
})
export class ParsedFileModule {}
