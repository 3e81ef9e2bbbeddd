import { servicePrincipal, type Scope } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { ownLabels } from "../preference/preference-definition.ts";
import { PreferenceRepository } from "../preference/preference.repository.ts";
import { WorkspaceRepository } from "../workspace/workspace.repository.ts";
import type { EffectiveSettings } from "./setting-map.ts";

const serviceScope: Scope = { principal: servicePrincipal, workspace: null };

/** Tells a new instance from one that is in use, with or without the first-run wizard. */
@Injectable()
export class FirstRun {
  constructor(
    private readonly preferences: PreferenceRepository,
    private readonly workspaces: WorkspaceRepository,
  ) {}

  /**
   * Whether nobody has finished the wizard, chosen a language model or a vector store, or created
   * a workspace. A password or accounts, which auth knows, end the first run as well.
   */
  async isPending({ values }: Pick<EffectiveSettings, "values">): Promise<boolean> {
    if (values.has("LLMProvider") || values.has("VectorDB")) return false;
    const [completed, isUsed] = await Promise.all([
      this.preferences.find(serviceScope, ownLabels.onboarding),
      this.workspaces.hasAny(serviceScope),
    ]);
    return completed !== true && !isUsed;
  }
}
