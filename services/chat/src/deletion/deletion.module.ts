import { Module } from "@nestjs/common";
import { GenerationModule } from "../generation/generation.module.ts";
import { MemoryModule } from "../memory/memory.module.ts";
import { ShareModule } from "../share/share.module.ts";
import { ThreadModule } from "../thread/thread.module.ts";
import { TrashModule } from "../trash/trash.module.ts";
import { TurnModule } from "../turn/turn.module.ts";
import { DeletionRepository } from "./deletion.repository.ts";
import { FileOrphanReconciler } from "./file-orphan.reconciler.ts";
import { ThreadDeletionHandler } from "./thread-deletion.handler.ts";
import { TurnDeletionHandler } from "./turn-deletion.handler.ts";
import { UserDeletedConsumer } from "./user-deleted.consumer.ts";
import { UserOrphanReconciler } from "./user-orphan.reconciler.ts";
import { WorkspaceDeletedConsumer } from "./workspace-deleted.consumer.ts";
import { WorkspaceOrphanReconciler } from "./workspace-orphan.reconciler.ts";

@Module({
  imports: [GenerationModule, MemoryModule, ShareModule, ThreadModule, TrashModule, TurnModule],
  controllers: [ThreadDeletionHandler, TurnDeletionHandler],
  providers: [
    DeletionRepository,
    FileOrphanReconciler,
    UserDeletedConsumer,
    UserOrphanReconciler,
    WorkspaceDeletedConsumer,
    WorkspaceOrphanReconciler,
  ],
})
export class DeletionModule {}
