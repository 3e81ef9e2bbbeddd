import { Module } from "@nestjs/common";
import { EventModule } from "../event/event.module.ts";
import { MemberModule } from "../member/member.module.ts";
import { PromptHistoryModule } from "../prompt-history/prompt-history.module.ts";
import { WorkspaceModule } from "../workspace/workspace.module.ts";
import { TombstoneReconciler } from "./tombstone.reconciler.ts";
import { WorkspaceLifecycle } from "./workspace-lifecycle.ts";
import { WorkspaceOwnerTransfer } from "./workspace-owner.transfer.ts";
import { WorkspaceHandler } from "./workspace.handler.ts";

@Module({
  imports: [EventModule, MemberModule, PromptHistoryModule, WorkspaceModule],
  controllers: [WorkspaceHandler],
  providers: [TombstoneReconciler, WorkspaceLifecycle, WorkspaceOwnerTransfer],
  exports: [WorkspaceLifecycle],
})
export class LifecycleModule {}
