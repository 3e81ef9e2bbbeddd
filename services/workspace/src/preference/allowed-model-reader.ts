import {
  allowedModels,
  allowedModelsLabel,
  servicePrincipal,
  threadModelsLabel,
  type AllowedModels,
  type Scope,
} from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { PreferenceRepository } from "./preference.repository.ts";

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
