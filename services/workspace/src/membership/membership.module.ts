import { Module } from "@nestjs/common";
import { EventModule } from "../event/event.module.ts";
import { LifecycleModule } from "../lifecycle/lifecycle.module.ts";
import { MemberModule } from "../member/member.module.ts";
import { PresetModule } from "../preset/preset.module.ts";
import { UserModule } from "../user/user.module.ts";
import { WorkspaceModule } from "../workspace/workspace.module.ts";
import { MemberChanges } from "./member-changes.ts";
import { MemberConsumer } from "./member.consumer.ts";
import { MemberHandler } from "./member.handler.ts";
import { Membership } from "./membership.ts";
import { UserReferenceRepository } from "./user-reference.repository.ts";
import { UserRemoval } from "./user-removal.ts";
import { UserOrphanReconciler } from "./user-orphan.reconciler.ts";

@Module({
  imports: [EventModule, LifecycleModule, MemberModule, PresetModule, UserModule, WorkspaceModule],
  controllers: [MemberHandler],
  providers: [
    MemberChanges,
    MemberConsumer,
    Membership,
    UserOrphanReconciler,
    UserReferenceRepository,
    UserRemoval,
  ],
})
export class MembershipModule {}
