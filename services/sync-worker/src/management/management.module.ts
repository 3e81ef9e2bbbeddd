import { Module } from "@nestjs/common";
import { SettingModule } from "../setting/setting.module.ts";
import { WatchModule } from "../watch/watch.module.ts";
import { WorkerModule } from "../worker/worker.module.ts";
import { HookHandler } from "./hook.handler.ts";
import { QueueHandler } from "./queue.handler.ts";
import { SourceWatchHandler } from "./source-watch.handler.ts";
import { WatchAccess } from "./watch-access.ts";
import { WatchFollower } from "./watch-follower.ts";
import { WatchHandler, WatchListHandler } from "./watch.handler.ts";

@Module({
  imports: [SettingModule, WatchModule, WorkerModule],
  controllers: [HookHandler, QueueHandler, SourceWatchHandler, WatchHandler, WatchListHandler],
  providers: [WatchAccess, WatchFollower],
})
export class ManagementModule {}
