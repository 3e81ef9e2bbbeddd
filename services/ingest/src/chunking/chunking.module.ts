import { Module } from "@nestjs/common";
import { WorkPoolModule } from "../work-pool/work-pool.module.ts";
import { DocumentModule } from "../document/document.module.ts";
import { ChunkRepository } from "./chunk.repository.ts";
import { DocumentSplitter } from "./document-splitter.ts";

@Module({
  imports: [WorkPoolModule, DocumentModule],
  providers: [ChunkRepository, DocumentSplitter],
  exports: [ChunkRepository, DocumentSplitter],
})
export class ChunkingModule {}
