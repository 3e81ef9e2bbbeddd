import { builtInSystemPrompt, defaultPromptLabel, type Scope } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import type { EntityManager } from "typeorm";
import { PreferenceRepository } from "../preference/preference.repository.ts";

/** The system prompt for workspaces without one. */
@Injectable()
export class DefaultPrompt {
  constructor(private readonly preferences: PreferenceRepository) {}

  /** The instance's default, or else the built-in prompt. */
  async read(scope: Scope, manager?: EntityManager): Promise<string> {
    const kept = await this.preferences.find(scope, defaultPromptLabel, manager);
    return typeof kept === "string" && kept.trim() !== "" ? kept : builtInSystemPrompt;
  }

  async isDefault(scope: Scope, prompt: string, manager?: EntityManager): Promise<boolean> {
    return prompt === builtInSystemPrompt || prompt === (await this.read(scope, manager));
  }
}
