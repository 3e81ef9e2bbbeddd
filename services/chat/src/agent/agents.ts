import type { AgentSettings, WorkspaceScope } from "@carrel/contracts";
import type { LanguageModel } from "@carrel/providers";
import type { Tool } from "@carrel/skills";
import { Injectable } from "@nestjs/common";
import type { AnswerTask } from "../answer/answerer.ts";
import { ModelAnswerer } from "../answer/model-answerer.ts";
import { Budgets } from "../budget/budgets.ts";
import { SettingsCache } from "../setting/settings-cache.ts";
import { UsageRepository } from "../usage/usage-record.ts";
import { AgentAnswerer } from "./agent-answerer.ts";
import { AgentRun } from "./agent-run.ts";
import { AgentTools, type RunModel } from "./agent-tools.ts";
import { ApprovalDesk } from "./approval-desk.ts";
import { RunStepRepository } from "./run-step.repository.ts";

/** What runs need, and how they begin. */
@Injectable()
export class Agents {
  constructor(
    private readonly settings: SettingsCache,
    private readonly tools: AgentTools,
    private readonly steps: RunStepRepository,
    private readonly desk: ApprovalDesk,
    readonly usage: UsageRepository,
    readonly budgets: Budgets,
  ) {}

  /** Builds answerers that call tools. */
  readonly build = (...model: ConstructorParameters<typeof ModelAnswerer>): ModelAnswerer =>
    new AgentAnswerer(this, ...model);

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

  /** The model as one that can call tools. */
  withTools(model: LanguageModel): LanguageModel {
    return model;
  }
}
