export { createEmbeddingModel } from "./create-embedding-model.ts";
export { createLanguageModel, listModels } from "./create-language-model.ts";
export { embeddingProviders, languageProviders, vectorProviders } from "./declarations.ts";
export { LanguageRerankModel } from "./language-rerank-model.ts";
export {
  closeNativeEmbedders,
  ensureNativeModel,
  nativeModelState,
} from "./native/native-embedding-model.ts";
export { NativeRerankModel } from "./native/native-rerank-model.ts";
export { secretSettingKeys, validateSetting } from "./settings.ts";
export * from "./spec/embedding-model.ts";
export * from "./spec/language-model.ts";
export * from "./spec/provider-error.ts";
export * from "./spec/rerank-model.ts";
export * from "./spec/stream-part.ts";
export * from "./spec/transcription-model.ts";
export { warmLanguageProvider } from "./warm-language-provider.ts";
