import { Module } from "@nestjs/common";
import { EventModule } from "../event/event.module.ts";
import { AllowedModelReader } from "./allowed-model-reader.ts";
import { MemberRightReader } from "./member-right-reader.ts";
import { PreferenceStore } from "./preference-store.ts";
import { PreferenceRepository } from "./preference.repository.ts";

@Module({
  imports: [EventModule],
  providers: [AllowedModelReader, MemberRightReader, PreferenceStore, PreferenceRepository],
  exports: [AllowedModelReader, MemberRightReader, PreferenceStore, PreferenceRepository],
})
export class PreferenceModule {}
