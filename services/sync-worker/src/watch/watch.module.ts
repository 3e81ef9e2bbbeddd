import { Module } from "@nestjs/common";
import { HookRepository } from "./hook.repository.ts";
import { SyncQueueRepository } from "./sync-queue.repository.ts";
import { WatchNotice } from "./watch-notice.ts";
import { WatchRepository } from "./watch.repository.ts";

const providers = [HookRepository, SyncQueueRepository, WatchNotice, WatchRepository];

@Module({ providers, exports: providers })
export class WatchModule {}
