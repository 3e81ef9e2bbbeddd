import { Module } from "@nestjs/common";
import { EventModule } from "../event/event.module.ts";
import { MemberModule } from "../member/member.module.ts";
import { PreferenceModule } from "../preference/preference.module.ts";
import { PromptHistoryModule } from "../prompt-history/prompt-history.module.ts";
import { WidgetModule } from "../widget/widget.module.ts";
import { WorkspaceModule } from "../workspace/workspace.module.ts";
import { MemberRightHandler } from "./member-right.handler.ts";
import { TombstoneReconciler } from "./tombstone.reconciler.ts";
import { WorkspaceLifecycle } from "./workspace-lifecycle.ts";
import { WorkspaceOwnerTransfer } from "./workspace-owner.transfer.ts";
import { WorkspaceUpdates } from "./workspace-updates.ts";
import { WorkspaceHandler } from "./workspace.handler.ts";

@Module({
  imports: [
    EventModule,
    MemberModule,
    PreferenceModule,
    PromptHistoryModule,
    WidgetModule,
    WorkspaceModule,
  ],
  controllers: [MemberRightHandler, WorkspaceHandler],
  providers: [TombstoneReconciler, WorkspaceLifecycle, WorkspaceOwnerTransfer, WorkspaceUpdates],
  exports: [WorkspaceLifecycle],
})
export class LifecycleModule {}
