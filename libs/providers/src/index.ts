export { LanguageRerankModel } from "./language-rerank-model.ts";
export { closeNativeEmbedders } from "./native/native-embedding-model.ts";
export { NativeRerankModel } from "./native/native-rerank-model.ts";
export {
  createEmbeddingModel,
  createLanguageModel,
  embeddingProviders,
  findModelList,
  languageProviders,
  providerFields,
  warmLanguageProvider,
} from "./registry.ts";
export type { Settings } from "./setting-values.ts";
export * from "./spec/embedding-model.ts";
export * from "./spec/language-model.ts";
export * from "./spec/provider-error.ts";
export * from "./spec/rerank-model.ts";
export * from "./spec/stream-part.ts";
export * from "./spec/transcription-model.ts";
