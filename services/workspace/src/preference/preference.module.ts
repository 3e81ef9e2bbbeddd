import {
  allowedModels,
  allowedModelsLabel,
  servicePrincipal,
  threadModelsLabel,
  type AllowedModels,
  type Scope,
} from "@carrel/contracts";
import { Injectable, Module } from "@nestjs/common";
import { EventModule } from "../event/event.module.ts";
import {
  MemberRightReader,
  PreferenceRepository,
  PreferenceStore,
} from "./preference.repository.ts";

const serviceScope: Scope = { principal: servicePrincipal, workspace: null };

/** The models that people may choose; reads as Carrel itself, because only admins see preferences. */
@Injectable()
export class AllowedModelReader {
  constructor(private readonly preferences: PreferenceRepository) {}

  async read(): Promise<AllowedModels> {
    const kept = await this.preferences.list(serviceScope, [allowedModelsLabel]);
    return allowedModels.parse(kept.get(allowedModelsLabel) ?? {});
  }

  async mayMembersChoose(): Promise<boolean> {
    return (await this.preferences.find(serviceScope, threadModelsLabel)) === true;
  }
}

@Module({
  imports: [EventModule],
  providers: [AllowedModelReader, MemberRightReader, PreferenceStore, PreferenceRepository],
  exports: [AllowedModelReader, MemberRightReader, PreferenceStore, PreferenceRepository],
})
export class PreferenceModule {}
