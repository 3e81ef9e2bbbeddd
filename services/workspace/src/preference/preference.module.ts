import { Module } from "@nestjs/common";
import { EventModule } from "../event/event.module.ts";
import { AllowedModelReader } from "./allowed-model-reader.ts";
import { PreferenceStore } from "./preference-store.ts";
import { PreferenceRepository } from "./preference.repository.ts";

@Module({
  imports: [EventModule],
  providers: [AllowedModelReader, PreferenceStore, PreferenceRepository],
  exports: [AllowedModelReader, PreferenceStore, PreferenceRepository],
})
export class PreferenceModule {}
