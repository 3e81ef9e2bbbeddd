export { languagesOf, multilingualModel } from "./native/native-models.ts";
export { findPrice, isFreeProvider } from "./catalogue/find-price.ts";
export type { ModelPrice } from "./catalogue/model-catalogue.ts";
export { LanguageRerankModel } from "./language-rerank-model.ts";
export {
  mayAskAnother,
  ModelBreakers,
  type ModelBreaker,
  createDictationModel,
  createEmbeddingModel,
  createImageModel,
  createLanguageModel,
  createSpeechModel,
  createTranscriptionModel,
  dictationProviders,
  embeddingProviders,
  findModelList,
  languageProviders,
  longestEmbedderInput,
  providerFields,
  speechProviders,
  transcriptionProviders,
  warmLanguageProvider,
} from "./registry.ts";
export { closeNativeEmbedders } from "./native/native-embedding-model.ts";
export {
  HubFileError,
  createHubClient,
  downloadHubFile,
  partialOf,
  sizeOf,
  type HubFile,
} from "./native/hub-file.ts";
export { closeWhisper, createWhisperModel } from "./native/whisper-model.ts";
export { ggufParts, listGgufModels, readGgufModel, type GgufModel } from "./gguf/gguf-models.ts";
export { GgufFormatError } from "./gguf/read-gguf-header.ts";
export { fitContext, freeMemory, memoryNeeded, type ContextPlan } from "./gguf/gguf-memory.ts";
export { closeLocalModel, unloadLocalModel } from "./gguf/gguf-queue.ts";
export {
  estimateSpeed,
  measuredSpeed,
  measureMachine,
  type MachineSpeed,
  type TokenSpeed,
} from "./gguf/local-speed.ts";
export { localModelFolder, readLocalModels, type LocalModels } from "./gguf/local-models.ts";
export { isWhisperInstalled, whisperModels } from "./native/whisper-models.ts";
export { NativeRerankModel } from "./native/native-rerank-model.ts";
export {
  callsToolsNatively,
  chooseToolCalling,
  type WithoutNativeTools,
} from "./prompted-tools/choose-tool-calling.ts";
export { withPromptedTools } from "./prompted-tools/with-prompted-tools.ts";
export { testConnection } from "./test-connection.ts";
export { vendors } from "./vendors/index.ts";
export type { Settings } from "./setting-values.ts";
export * from "./spec/embedding-model.ts";
export * from "./spec/image-model.ts";
export * from "./spec/language-model.ts";

export * from "./spec/message.ts";
export * from "./spec/provider-error.ts";
export * from "./spec/rerank-model.ts";
export * from "./spec/stream-part.ts";
export * from "./spec/token-count.ts";
export * from "./spec/audio-model.ts";
