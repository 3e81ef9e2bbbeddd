import { Module } from "@nestjs/common";
import { ChunkRepository } from "./chunk.repository.ts";

@Module({
  providers: [ChunkRepository],
  exports: [ChunkRepository],
})
export class ChunkingModule {}
