import { Module } from "@nestjs/common";
import { EventLogModule } from "../event-log/event-log.module.ts";
import { FlowRunModule } from "../flow-run/flow-run.module.ts";
import { GenerationModule } from "../generation/generation.module.ts";
import { OwnerModule } from "../owner/owner.module.ts";
import { ScheduleModule } from "../schedule/schedule.module.ts";
import { ThreadModule } from "../thread/thread.module.ts";
import { TrashModule } from "../trash/trash.module.ts";
import { TurnModule } from "../turn/turn.module.ts";
import { ScheduleClock } from "./schedule-clock.ts";
import { ScheduleControlHandler } from "./schedule-control.handler.ts";
import { ScheduleRunEnd } from "./schedule-end.ts";
import { ScheduleFlows } from "./schedule-flow.ts";
import { ScheduleQuestions } from "./schedule-question.ts";
import { ScheduleReconciler } from "./schedule-reconciler.ts";
import { ScheduleReports } from "./schedule-reports.ts";
import { ScheduleResults } from "./schedule-result.ts";
import { ScheduleRunHandler } from "./schedule-run.handler.ts";
import { ScheduleRunRepository } from "./schedule-run.repository.ts";
import { ScheduleRunStart } from "./schedule-start.ts";
import { ScheduleRunStop } from "./schedule-stop.ts";
import { ScheduleThreads } from "./schedule-thread.ts";
import { ScheduleViews } from "./schedule-views.ts";
import { ScheduleWebhook } from "./schedule-webhook.ts";
import { ScheduleWithdrawal } from "./schedule-withdrawal.ts";
import { ScheduleWriteHandler } from "./schedule-write.handler.ts";
import { ScheduleHandler } from "./schedule.handler.ts";

@Module({
  imports: [
    EventLogModule,
    FlowRunModule,
    GenerationModule,
    OwnerModule,
    ScheduleModule,
    ThreadModule,
    TrashModule,
    TurnModule,
  ],
  controllers: [ScheduleControlHandler, ScheduleHandler, ScheduleRunHandler, ScheduleWriteHandler],
  providers: [
    ScheduleClock,
    ScheduleFlows,
    ScheduleQuestions,
    ScheduleReconciler,
    ScheduleReports,
    ScheduleResults,
    ScheduleRunEnd,
    ScheduleRunRepository,
    ScheduleRunStart,
    ScheduleRunStop,
    ScheduleThreads,
    ScheduleViews,
    ScheduleWebhook,
    ScheduleWithdrawal,
  ],
})
export class ScheduleRunModule {}
