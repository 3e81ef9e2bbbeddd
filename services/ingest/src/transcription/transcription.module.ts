import { Module } from "@nestjs/common";
import { SettingModule } from "../setting/setting.module.ts";
import { Transcriber, TRANSCRIPTION_MODELS, type TranscriptionModels } from "./transcriber.ts";

@Module({
  imports: [SettingModule],
  providers: [
    // No transcription provider exists yet.
    { provide: TRANSCRIPTION_MODELS, useValue: (() => null) satisfies TranscriptionModels },
    Transcriber,
  ],
  exports: [Transcriber],
})
export class TranscriptionModule {}
