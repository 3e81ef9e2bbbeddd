import type { WorkspaceWire } from "@carrel/contracts";
import type { Logger } from "@carrel/observability";
import { callsToolsNatively, type LanguageModel } from "@carrel/providers";
import { CONFIG, LOGGER } from "@carrel/runtime";
import { Inject, Injectable } from "@nestjs/common";
import type { ChatConfig } from "../chat.config.ts";
import { SettingsCache } from "../setting/settings-cache.ts";
import { LanguageModels, type ThreadModelChoice } from "./language-models.ts";

/** Timeout for asking a model's server what it can do. */
const timeoutMs = 2_000;

type ChosenModel = Pick<WorkspaceWire, "chatProvider" | "chatModel">;

/** The workspace's model for agents, unless the thread or the question chose one. */
export const withAgentModel = (
  workspace: WorkspaceWire,
  choice: ThreadModelChoice | null,
): WorkspaceWire =>
  choice !== null || !workspace.agentProvider || workspace.agentProvider === "none"
    ? workspace
    : { ...workspace, chatProvider: workspace.agentProvider, chatModel: workspace.agentModel };

/** Says which models call tools natively; the others get them described in their prompt. */
@Injectable()
export class ToolCalling {
  constructor(
    private readonly settings: SettingsCache,
    private readonly models: LanguageModels,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(CONFIG) private readonly config: ChatConfig,
  ) {}

  /** null: unknown, or there is no usable model. Never throws. */
  async check(workspace: ChosenModel): Promise<boolean | null> {
    return this.ask(await this.find(workspace));
  }

  /** Whether there is a model that can answer. Never throws. */
  async hasModel(workspace: ChosenModel): Promise<boolean> {
    return (await this.find(workspace)) !== null;
  }

  /**
   * Whether every message of existing clients starts an agent (wire-contract 5.1). Where only a
   * request can tell, answers begin with the model's own tools.
   */
  async startsAgents({ chatMode }: WorkspaceWire, chosen: ChosenModel): Promise<boolean> {
    if (chatMode !== "automatic") return false;
    const model = await this.find(chosen);
    return model !== null && (await this.ask(model)) !== false;
  }

  private async find(workspace: ChosenModel): Promise<LanguageModel | null> {
    try {
      return this.models.choose(workspace, await this.settings.getInstance()).model;
    } catch (error) {
      // The answer itself says what is wrong with the model.
      this.logger.debug({ err: error }, "couldn't find the model that would call tools");
      return null;
    }
  }

  private async ask(model: LanguageModel | null): Promise<boolean | null> {
    if (model === null) return null;
    const disabled = this.config.PROVIDER_DISABLE_NATIVE_TOOL_CALLING;
    try {
      return await callsToolsNatively(model, { disabled, signal: AbortSignal.timeout(timeoutMs) });
    } catch (error) {
      this.logger.debug({ err: error }, "couldn't ask whether the model calls tools");
      return null;
    }
  }
}
