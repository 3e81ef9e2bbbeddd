import { Module } from "@nestjs/common";
import { DocumentModule } from "../document/document.module.ts";
import { WorkPoolModule } from "../work-pool/work-pool.module.ts";
import { ChunkHeadingRepository } from "./chunk-heading.repository.ts";
import { ChunkRepository, ChunkSampleRepository } from "./chunk.repository.ts";
import { DocumentSplitter } from "./document-splitter.ts";

@Module({
  imports: [WorkPoolModule, DocumentModule],
  providers: [ChunkHeadingRepository, ChunkRepository, ChunkSampleRepository, DocumentSplitter],
  exports: [ChunkHeadingRepository, ChunkRepository, ChunkSampleRepository, DocumentSplitter],
})
export class ChunkingModule {}
