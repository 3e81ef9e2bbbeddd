import {
  fallbackModels,
  fallbackModelsLabel,
  listAdminWorkspacePage,
  type Out,
  type Scope,
  type WorkspaceWire,
} from "@carrel/contracts";
import { RequestClient } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { SettingsCache } from "../setting/settings-cache.ts";

export const localProvider = "local-gguf";
export const localModelKey = "LocalGgufModelPref";

type Values = Readonly<Record<string, string>>;
type Chosen = Pick<WorkspaceWire, "chatProvider" | "chatModel" | "agentProvider" | "agentModel">;

const isChosen = (
  file: string,
  values: Values,
  provider: string | null | undefined,
  model: string | null,
): boolean => provider === localProvider && (model || values[localModelKey]) === file;

/** Whether the instance's answers, or those that stand in for them, are written by this file. */
function isUsedByInstance(file: string, values: Values): boolean {
  const kept = values[fallbackModelsLabel];
  const fallbacks = kept === undefined ? [] : fallbackModels.parse(JSON.parse(kept));
  return (
    isChosen(file, values, values.LLMProvider, null) ||
    fallbacks.some(({ provider, model }) => isChosen(file, values, provider, model))
  );
}

/** Whether a workspace's questions or agents are answered by this file. */
const isUsedByWorkspace = (file: string, values: Values, workspace: Chosen): boolean =>
  isChosen(file, values, workspace.chatProvider ?? values.LLMProvider, workspace.chatModel) ||
  isChosen(file, values, workspace.agentProvider, workspace.agentModel);

/** Knows which local models are chosen somewhere. */
@Injectable()
export class LocalModelUse {
  constructor(
    private readonly settings: SettingsCache,
    private readonly requests: RequestClient,
  ) {}

  /** Workspaces' lists of fallback models, and threads, aren't searched. */
  async isInUse(file: string, scope: Scope): Promise<boolean> {
    const { values } = await this.settings.getInstance();
    if (isUsedByInstance(file, values)) return true;
    for (let after: number | null = null; ;) {
      const page: Out<typeof listAdminWorkspacePage> = await this.requests.request(
        listAdminWorkspacePage,
        { after },
        { scope },
      );
      if (page.workspaces.some((each) => isUsedByWorkspace(file, values, each))) return true;
      if (page.next === null) return false;
      after = page.next;
    }
  }
}
