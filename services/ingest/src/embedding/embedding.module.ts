import { Module } from "@nestjs/common";
import { DocumentModule } from "../document/document.module.ts";
import { ChunkVectors } from "./chunk-vectors.ts";
import { EmbeddingCacheReconciler } from "./embedding-cache.reconciler.ts";
import { EmbeddingCache } from "./embedding-cache.ts";
import { EmbeddingModels } from "./embedding-models.ts";
import { EmbeddingUse } from "./embedding-use.ts";

@Module({
  imports: [DocumentModule],
  providers: [
    ChunkVectors,
    EmbeddingCache,
    EmbeddingCacheReconciler,
    EmbeddingModels,
    EmbeddingUse,
  ],
  exports: [ChunkVectors, EmbeddingModels, EmbeddingUse],
})
export class EmbeddingModule {}
