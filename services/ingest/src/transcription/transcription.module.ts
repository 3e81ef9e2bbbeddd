import { CONFIG } from "@carrel/runtime";
import { Module } from "@nestjs/common";
import { SettingModule } from "../setting/setting.module.ts";
import { UsageModule } from "../usage/usage.module.ts";
import { createTranscriptionModels } from "./create-transcription-models.ts";
import { Transcriber, TRANSCRIPTION_MODELS } from "./transcriber.ts";

@Module({
  imports: [SettingModule, UsageModule],
  providers: [
    { provide: TRANSCRIPTION_MODELS, useFactory: createTranscriptionModels, inject: [CONFIG] },
    Transcriber,
  ],
  exports: [Transcriber],
})
export class TranscriptionModule {}
