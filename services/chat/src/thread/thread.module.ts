import { Module } from "@nestjs/common";
import { ThreadChanges } from "./thread-changes.ts";
import { ThreadHandler } from "./thread.handler.ts";
import { ThreadOwnerTransfer } from "./thread-owner.transfer.ts";
import { ThreadRepository } from "./thread.repository.ts";

@Module({
  controllers: [ThreadHandler],
  providers: [ThreadChanges, ThreadOwnerTransfer, ThreadRepository],
  exports: [ThreadChanges, ThreadRepository],
})
export class ThreadModule {}
