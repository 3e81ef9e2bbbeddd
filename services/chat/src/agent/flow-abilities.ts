import { CarrelError, type Scope, type WorkspaceScope } from "@carrel/contracts";
import { ProviderError } from "@carrel/providers";
import {
  FlowSecrets,
  type DocumentSearchPort,
  type FlowPorts,
  type ModelPort,
} from "@carrel/skills";
import { Injectable } from "@nestjs/common";
import { CredentialRepository } from "../credential/credential.repository.ts";
import { LanguageModels } from "../model/language-models.ts";
import { QuestionSearch } from "../retrieval/question-search.ts";
import { readPrices, SettingsCache } from "../setting/settings-cache.ts";
import { RunModels } from "./run-models.ts";
import { SkillReach } from "./skill-reach.ts";

/** What flows that run outside of a conversation can use. */
@Injectable()
export class FlowAbilities {
  constructor(
    private readonly settings: SettingsCache,
    private readonly models: LanguageModels,
    private readonly runModels: RunModels,
    private readonly search: QuestionSearch,
    private readonly reach: SkillReach,
    private readonly credentials: CredentialRepository,
  ) {}

  async open(scope: Scope): Promise<Pick<FlowPorts, "content" | "model" | "search" | "secrets">> {
    return {
      content: this.reach.content,
      model: await this.openModel(scope),
      search: this.openSearch(scope),
      secrets: new FlowSecrets(this.credentials),
    };
  }

  /** Null if there is none, or its settings are incomplete. */
  private async openModel(scope: Scope): Promise<ModelPort | null> {
    const instance = await this.settings.getInstance();
    const workspace = isInWorkspace(scope)
      ? await this.settings.getWorkspace(scope)
      : { chatProvider: null, chatModel: null };
    try {
      const { provider, model } = this.models.choose(workspace, instance);
      if (model === null) return null;
      const caller = {
        scope,
        turnId: null,
        threadId: null,
        findPrice: readPrices(instance.values),
      };
      return this.runModels.portFor(caller, { provider, languageModel: model });
    } catch (error) {
      if (error instanceof ProviderError || error instanceof CarrelError) return null;
      throw error;
    }
  }

  private openSearch(scope: Scope): DocumentSearchPort | null {
    if (!isInWorkspace(scope)) return null;
    return {
      search: async ({ query, limit }) =>
        (await this.search.search(scope, query, null, { topN: limit })).passages,
    };
  }
}

const isInWorkspace = (scope: Scope): scope is WorkspaceScope => scope.workspace !== null;
