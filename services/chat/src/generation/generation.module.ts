import { Module } from "@nestjs/common";
import { AnswerModule } from "../answer/answer.module.ts";
import { BudgetModule } from "../budget/budget.module.ts";
import { InspectionModule } from "../inspection/inspection.module.ts";
import { MemoryModule } from "../memory/memory.module.ts";
import { ModelModule } from "../model/model.module.ts";
import { PromptModule } from "../prompt/prompt.module.ts";
import { RetrievalModule } from "../retrieval/retrieval.module.ts";
import { SettingModule } from "../setting/setting.module.ts";
import { ThreadModule } from "../thread/thread.module.ts";
import { TurnModule } from "../turn/turn.module.ts";
import { UsageModule } from "../usage/usage.module.ts";
import { ThreadModelHandler } from "./thread-model.handler.ts";
import { ThreadParameterHandler } from "./thread-parameter.handler.ts";
import { ContextWindowHandler } from "./context-window.handler.ts";
import { DeletedGenerationRepository, LapsedAnswers } from "./lapsed-answers.ts";
import { GenerationAccess, GenerationHandler } from "./generation.handler.ts";
import { GenerationCancelRepository } from "./generation-cancel.repository.ts";
import { GenerationChanges } from "./generation-changes.ts";
import { GenerationClock } from "./generation-clock.ts";
import { AnswerKeeper, GenerationExecution } from "./generation-execution.ts";
import { GenerationLeaseRepository } from "./generation-lease.repository.ts";
import { GenerationPipeline } from "./generation-pipeline.ts";
import { GenerationRepository } from "./generation.repository.ts";
import { GenerationResultRepository } from "./generation-result.repository.ts";
import { GenerationRunner } from "./generation-runner.ts";
import { GenerationStartHandler } from "./generation-start.handler.ts";
import { GenerationStartRepository } from "./generation-start.repository.ts";
import { GenerationStopper } from "./generation-stopper.ts";
import { HistoryReset } from "./history-reset.ts";
import { PendingTurns } from "./pending-turns.ts";
import { Replica } from "./replica.ts";

@Module({
  imports: [
    AnswerModule,
    BudgetModule,
    InspectionModule,
    MemoryModule,
    ModelModule,
    PromptModule,
    RetrievalModule,
    SettingModule,
    ThreadModule,
    TurnModule,
    UsageModule,
  ],
  controllers: [
    GenerationStartHandler,
    GenerationHandler,
    ContextWindowHandler,
    ThreadModelHandler,
    ThreadParameterHandler,
  ],
  providers: [
    AnswerKeeper,
    DeletedGenerationRepository,
    GenerationAccess,
    GenerationCancelRepository,
    GenerationChanges,
    GenerationClock,
    GenerationExecution,
    GenerationLeaseRepository,
    GenerationPipeline,
    GenerationRepository,
    GenerationResultRepository,
    GenerationRunner,
    GenerationStartRepository,
    GenerationStopper,
    HistoryReset,
    LapsedAnswers,
    PendingTurns,
    Replica,
  ],
  exports: [GenerationStopper],
})
export class GenerationModule {}
