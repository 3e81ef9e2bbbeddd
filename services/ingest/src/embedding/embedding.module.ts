import { Module } from "@nestjs/common";
import { DocumentModule } from "../document/document.module.ts";
import { UsageModule } from "../usage/usage.module.ts";
import { ChunkVectors } from "./chunk-vectors.ts";
import { EmbeddingCacheReconciler } from "./embedding-cache.reconciler.ts";
import { EmbeddingCache } from "./embedding-cache.ts";
import { EmbeddingModels } from "./embedding-models.ts";

@Module({
  imports: [DocumentModule, UsageModule],
  providers: [ChunkVectors, EmbeddingCache, EmbeddingCacheReconciler, EmbeddingModels],
  exports: [ChunkVectors, EmbeddingModels],
})
export class EmbeddingModule {}
