import { Module } from "@nestjs/common";
import { DocumentModule } from "../document/document.module.ts";
import { UsageModule } from "../usage/usage.module.ts";
import { WorkPoolModule } from "../work-pool/work-pool.module.ts";
import { ChunkVectors } from "./chunk-vectors.ts";
import { EmbeddingCache, EmbeddingCacheReconciler } from "./embedding-cache.ts";
import { EmbeddingCalls } from "./embedding-calls.ts";
import { EmbeddingModels } from "./embedding-models.ts";

@Module({
  imports: [DocumentModule, UsageModule, WorkPoolModule],
  providers: [
    ChunkVectors,
    EmbeddingCache,
    EmbeddingCacheReconciler,
    EmbeddingCalls,
    EmbeddingModels,
  ],
  exports: [ChunkVectors, EmbeddingCalls, EmbeddingModels],
})
export class EmbeddingModule {}
