import {
  CarrelError,
  answerStep,
  decideStep,
  findGeneratedFile,
  readStep,
  type In,
  type Out,
  type Scope,
} from "@carrel/contracts";
import { Handle, type RequestContext } from "@carrel/messaging";
import { Controller, Module } from "@nestjs/common";
import { AnswerModule } from "../answer/answer.module.ts";
import { AttachmentModule } from "../attachment/attachment.module.ts";
import { BudgetModule } from "../budget/budget.module.ts";
import { CredentialModule } from "../credential/credential.module.ts";
import { EventLogModule } from "../event-log/event-log.module.ts";
import { FlowModule } from "../flow/flow.module.ts";
import { McpModule } from "../mcp/mcp.module.ts";
import { MemoryModule } from "../memory/memory.module.ts";
import { ModelModule } from "../model/model.module.ts";
import { PluginModule } from "../plugin/plugin.module.ts";
import { ReplicaModule } from "../replica/replica.module.ts";
import { RetrievalModule } from "../retrieval/retrieval.module.ts";
import { ScheduleModule } from "../schedule/schedule.module.ts";
import { SettingModule } from "../setting/setting.module.ts";
import { SkillPermissionModule } from "../skill-permission/skill-permission.module.ts";
import { UsageModule } from "../usage/usage.module.ts";
import { AddedTools } from "./added-tools.ts";
import { AgentMemories } from "./agent-memories.ts";
import { AgentSchedules } from "./agent-schedules.ts";
import { AgentTools } from "./agent-tools.ts";
import { Agents } from "./agents.ts";
import { AnswererChoice } from "./answerer-choice.ts";
import { ApprovalDesk } from "./approval-desk.ts";
import { FlowAbilities } from "./flow-abilities.ts";
import { FlowTestHandler } from "./flow-test.handler.ts";
import { GeneratedFiles } from "./generated-files.ts";
import { PluginTrialHandler } from "./plugin-trial.handler.ts";
import { RunModels } from "./run-models.ts";
import { RunStepRepository, type StepReply } from "./run-step.repository.ts";
import { SkillReach } from "./skill-reach.ts";
import { StepReplies } from "./step-replies.ts";
import { WorkspaceDocuments } from "./workspace-documents.ts";

/** What is said to the steps of the caller's own answers; those of others look like missing ones. */
@Controller()
class StepHandler {
  constructor(
    private readonly steps: RunStepRepository,
    private readonly replies: StepReplies,
  ) {}

  @Handle(decideStep)
  async decide(
    { id, step, decision }: In<typeof decideStep>,
    { scope }: RequestContext,
  ): Promise<Out<typeof decideStep>> {
    return this.reply(scope, id, step, { decision, answers: null });
  }

  @Handle(answerStep)
  async answer(
    { id, step, answers }: In<typeof answerStep>,
    { scope }: RequestContext,
  ): Promise<Out<typeof answerStep>> {
    return this.reply(scope, id, step, { decision: null, answers });
  }

  @Handle(readStep)
  async read(
    { id, step }: In<typeof readStep>,
    { scope }: RequestContext,
  ): Promise<Out<typeof readStep>> {
    return this.find(scope, id, step);
  }

  private async reply(
    scope: Scope,
    id: string,
    step: number,
    reply: StepReply,
  ): Promise<{ success: boolean }> {
    const success = await this.steps.reply(scope, id, step, reply);
    if (success) this.replies.announce(id);
    else await this.find(scope, id, step);
    return { success };
  }

  private async find(scope: Scope, id: string, step: number): Promise<Out<typeof readStep>> {
    const found = await this.steps.read(scope, id, step);
    if (found === null) throw new CarrelError("generation.not-found");
    return found;
  }
}

/** The files of answers that the caller may read. */
@Controller()
class GeneratedFileHandler {
  constructor(private readonly files: GeneratedFiles) {}

  @Handle(findGeneratedFile)
  async find(
    wanted: In<typeof findGeneratedFile>,
    { scope }: RequestContext,
  ): Promise<Out<typeof findGeneratedFile>> {
    const found = await this.files.find(scope, wanted);
    if (found === null) throw new CarrelError("tool.file-missing");
    return found;
  }
}

@Module({
  imports: [
    AnswerModule,
    AttachmentModule,
    BudgetModule,
    CredentialModule,
    EventLogModule,
    FlowModule,
    McpModule,
    MemoryModule,
    ModelModule,
    PluginModule,
    ReplicaModule,
    RetrievalModule,
    ScheduleModule,
    SettingModule,
    SkillPermissionModule,
    UsageModule,
  ],
  controllers: [StepHandler, GeneratedFileHandler, FlowTestHandler, PluginTrialHandler],
  providers: [
    AddedTools,
    AgentMemories,
    Agents,
    AgentSchedules,
    AgentTools,
    AnswererChoice,
    ApprovalDesk,
    FlowAbilities,
    GeneratedFiles,
    RunModels,
    RunStepRepository,
    SkillReach,
    StepReplies,
    WorkspaceDocuments,
  ],
  exports: [AnswererChoice, FlowAbilities],
})
export class AgentModule {}
