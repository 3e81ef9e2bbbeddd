import { astra } from "./astra.ts";
import { chromaCloud } from "./chroma-cloud.ts";
import { chroma } from "./chroma.ts";
import { lanceDb } from "./lancedb.ts";
import { milvus } from "./milvus.ts";
import { pgVector } from "./pgvector.ts";
import { pinecone } from "./pinecone.ts";
import { qdrant } from "./qdrant.ts";
import type { Store } from "./store.ts";
import { weaviate } from "./weaviate.ts";
import { zilliz } from "./zilliz.ts";

/** In the order of the forms; the first is the default. */
export const stores: readonly [Store, ...Store[]] = [
  lanceDb,
  qdrant,
  chroma,
  chromaCloud,
  pgVector,
  weaviate,
  milvus,
  zilliz,
  pinecone,
  astra,
];
