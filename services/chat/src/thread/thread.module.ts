import { Module } from "@nestjs/common";
import { GenerationModule } from "../generation/generation.module.ts";
import { TurnModule } from "../turn/turn.module.ts";
import { TrashModule } from "../trash/trash.module.ts";
import { ThreadForkHandler } from "../turn/thread-fork.handler.ts";
import { FileOrphanReconciler } from "../deletion/file-orphan.reconciler.ts";
import { ThreadHandler } from "./thread.handler.ts";
import { ThreadOwnerTransfer } from "./thread-owner.transfer.ts";

@Module({
  imports: [GenerationModule, TrashModule, TurnModule],
  controllers: [ThreadHandler, ThreadForkHandler],
  providers: [FileOrphanReconciler, ThreadOwnerTransfer],
})
export class ThreadModule {}
