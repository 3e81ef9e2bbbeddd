import { Module } from "@nestjs/common";
import { AllThreadsRepository } from "./all-threads.repository.ts";
import { DefaultThreadRepository } from "./default-thread.repository.ts";
import { DeveloperThreadHandler } from "./developer-thread.handler.ts";
import { ThreadChanges } from "./thread-changes.ts";
import { ThreadListRepository } from "./thread-list.repository.ts";
import { ThreadHandler } from "./thread.handler.ts";
import { ThreadOwnerTransfer } from "./thread-owner.transfer.ts";
import { ThreadRepository } from "./thread.repository.ts";

@Module({
  controllers: [ThreadHandler, DeveloperThreadHandler],
  providers: [
    AllThreadsRepository,
    DefaultThreadRepository,
    ThreadChanges,
    ThreadListRepository,
    ThreadOwnerTransfer,
    ThreadRepository,
  ],
  exports: [DefaultThreadRepository, ThreadChanges, ThreadRepository],
})
export class ThreadModule {}
