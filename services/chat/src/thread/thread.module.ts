import { Module } from "@nestjs/common";
import { ThreadChanges } from "./thread-changes.ts";
import { ThreadListRepository } from "./thread-list.repository.ts";
import { ThreadHandler } from "./thread.handler.ts";
import { ThreadOwnerTransfer } from "./thread-owner.transfer.ts";
import { ThreadRepository } from "./thread.repository.ts";

@Module({
  controllers: [ThreadHandler],
  providers: [ThreadChanges, ThreadListRepository, ThreadOwnerTransfer, ThreadRepository],
  exports: [ThreadChanges, ThreadRepository],
})
export class ThreadModule {}
