import { Module } from "@nestjs/common";
import { EventModule } from "../event/event.module.ts";
import { PreferenceStore } from "./preference-store.ts";
import { PreferenceRepository } from "./preference.repository.ts";

@Module({
  imports: [EventModule],
  providers: [PreferenceStore, PreferenceRepository],
  exports: [PreferenceStore, PreferenceRepository],
})
export class PreferenceModule {}
