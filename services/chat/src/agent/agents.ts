import type { AgentSettings, WorkspaceScope } from "@carrel/contracts";
import { chooseToolCalling, type LanguageModel } from "@carrel/providers";
import { CONFIG } from "@carrel/runtime";
import type { Tool } from "@carrel/skills";
import { Inject, Injectable } from "@nestjs/common";
import type { AnswerTask } from "../answer/answerer.ts";
import { Budgets } from "../budget/budgets.ts";
import type { ChatConfig } from "../chat.config.ts";
import { SettingsCache } from "../setting/settings-cache.ts";
import { UsageRepository } from "../usage/usage-record.ts";
import { AgentRun } from "./agent-run.ts";
import { AgentTools } from "./agent-tools.ts";
import { ApprovalDesk } from "./approval-desk.ts";
import type { RunModel } from "./run-models.ts";
import { RunStepRepository, type EarlierStep } from "./run-step.repository.ts";

/** What runs need, and how they begin. */
@Injectable()
export class Agents {
  private readonly withoutNativeTools: ChatConfig["PROVIDER_DISABLE_NATIVE_TOOL_CALLING"];

  constructor(
    private readonly settings: SettingsCache,
    private readonly tools: AgentTools,
    private readonly steps: RunStepRepository,
    private readonly desk: ApprovalDesk,
    readonly usage: UsageRepository,
    readonly budgets: Budgets,
    @Inject(CONFIG) config: ChatConfig,
  ) {
    this.withoutNativeTools = config.PROVIDER_DISABLE_NATIVE_TOOL_CALLING;
  }

  getSettings(scope: WorkspaceScope): Promise<AgentSettings> {
    return this.settings.getAgentSettings(scope);
  }

  listTools(task: AnswerTask, settings: AgentSettings, model: RunModel): Promise<Tool[]> {
    return this.tools.list(task, settings, model);
  }

  /** @param tools may be filled later, before the run does anything */
  open(task: AnswerTask, tools: readonly Tool[], settings: AgentSettings): AgentRun {
    return new AgentRun(task, tools, settings, this.steps, this.desk);
  }

  /** What the answers of these turns did. */
  loadEarlier(turnIds: readonly number[]): Promise<EarlierStep[]> {
    return this.steps.loadEarlier(turnIds);
  }

  readEarlier(turnId: number, step: number): Promise<string | null> {
    return this.steps.readResult(turnId, step);
  }

  /** The model as one that can call tools: by its text, if it can't otherwise. */
  withTools(model: LanguageModel, signal: AbortSignal): Promise<LanguageModel> {
    return chooseToolCalling(model, { disabled: this.withoutNativeTools, signal });
  }
}
