import { Module } from "@nestjs/common";
import { AgentModule } from "../agent/agent.module.ts";
import { EventLogModule } from "../event-log/event-log.module.ts";
import { FlowModule } from "../flow/flow.module.ts";
import { OwnerModule } from "../owner/owner.module.ts";
import { FlowHookHandler } from "./flow-hook.handler.ts";
import { FlowRunBlockRepository } from "./flow-run-block.repository.ts";
import { FlowRunReports } from "./flow-run-reports.ts";
import { FlowRunRights } from "./flow-run-rights.ts";
import { FlowRunView } from "./flow-run-view.ts";
import { FlowRunHandler } from "./flow-run.handler.ts";
import { FlowRunProcessor } from "./flow-run.processor.ts";
import { FlowRunReconciler } from "./flow-run.reconciler.ts";
import { FlowRunRepository } from "./flow-run.repository.ts";
import { FlowRuns } from "./flow-runs.ts";
import { FlowTriggerHandler } from "./flow-trigger.handler.ts";
import { FlowTriggerRepository } from "./flow-trigger.repository.ts";
import { SharedFlowHandler } from "./shared-flow.handler.ts";

@Module({
  imports: [AgentModule, EventLogModule, FlowModule, OwnerModule],
  controllers: [FlowHookHandler, FlowRunHandler, FlowTriggerHandler, SharedFlowHandler],
  providers: [
    FlowRunBlockRepository,
    FlowRunProcessor,
    FlowRunReconciler,
    FlowRunReports,
    FlowRunRepository,
    FlowRunRights,
    FlowRuns,
    FlowRunView,
    FlowTriggerRepository,
  ],
  exports: [FlowRuns],
})
export class FlowRunModule {}
