import path from "node:path";
import { providerChoiceKeys } from "@carrel/contracts";
import { CONFIG } from "@carrel/runtime";
import { Module } from "@nestjs/common";
import type { IngestConfig } from "../ingest.config.ts";
import { SettingModule } from "../setting/setting.module.ts";
import { UsageModule } from "../usage/usage.module.ts";
import { Transcriber, TRANSCRIPTION_MODELS, type TranscriptionModels } from "./transcriber.ts";

/** Models by the settings; null while one of the chosen provider's settings is missing. */
const createTranscriptionModels =
  (config: IngestConfig): TranscriptionModels =>
  async (values) => {
    const { createTranscriptionModel, ProviderError, transcriptionProviders } =
      await import("@carrel/providers");
    const id = values[providerChoiceKeys.transcription] ?? transcriptionProviders[0]!.id;
    try {
      return createTranscriptionModel(id, values, {
        modelsDir: config.CARREL_MODELS_DIR ?? path.join(config.CARREL_HOME, "models"),
        hub: config.CARREL_MODEL_HUB,
      });
    } catch (fault) {
      if (!(fault instanceof ProviderError)) throw fault;
      return null;
    }
  };

@Module({
  imports: [SettingModule, UsageModule],
  providers: [
    { provide: TRANSCRIPTION_MODELS, useFactory: createTranscriptionModels, inject: [CONFIG] },
    Transcriber,
  ],
  exports: [Transcriber],
})
export class TranscriptionModule {}
