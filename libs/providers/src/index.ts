export { createEmbeddingModel, type EmbeddingModelOptions } from "./create-embedding-model.ts";
export {
  createLanguageModel,
  listModels,
  type EndpointOptions,
  type LanguageModelOptions,
} from "./create-language-model.ts";
export { embeddingProviders, languageProviders, vectorProviders } from "./declarations.ts";
export { LanguageRerankModel } from "./language-rerank-model.ts";
export {
  closeNativeEmbedders,
  ensureNativeModel,
  nativeModelState,
  type NativeModelState,
  type NativeOptions,
} from "./native/native-embedding-model.ts";
export { NativeRerankModel, type NativeRerankOptions } from "./native/native-rerank-model.ts";
export { nativeRerankers, type NativeReranker } from "./native/native-rerankers.ts";
export { nativeModels, type NativeModel } from "./native/native-models.ts";
export {
  providerSettingKeys,
  secretSettingKeys,
  validateSetting,
  vectorSettingKeys,
  type Settings,
} from "./settings.ts";
export * from "./spec/embedding-model.ts";
export * from "./spec/language-model.ts";
export * from "./spec/provider-error.ts";
export * from "./spec/rerank-model.ts";
export * from "./spec/stream-part.ts";
export * from "./spec/transcription-model.ts";
export { warmLanguageProvider } from "./warm-language-provider.ts";
