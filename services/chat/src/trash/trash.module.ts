import { Module } from "@nestjs/common";
import { ThreadModule } from "../thread/thread.module.ts";
import { TrashHandler } from "./trash.handler.ts";
import { TrashReconciler } from "./trash.reconciler.ts";
import { TrashRepository } from "./trash.repository.ts";

@Module({
  imports: [ThreadModule],
  controllers: [TrashHandler],
  providers: [TrashReconciler, TrashRepository],
  exports: [TrashRepository],
})
export class TrashModule {}
