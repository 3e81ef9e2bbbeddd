import { Module } from "@nestjs/common";
import { ThreadChanges } from "../thread/thread-changes.ts";
import { TrashHandler } from "./trash.handler.ts";
import { TrashReconciler } from "./trash.reconciler.ts";
import { TrashRepository } from "./trash.repository.ts";

@Module({
  controllers: [TrashHandler],
  providers: [ThreadChanges, TrashRepository, TrashReconciler],
  exports: [ThreadChanges, TrashRepository],
})
export class TrashModule {}
