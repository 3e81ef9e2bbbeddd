import { Module } from "@nestjs/common";
import { EventLogModule } from "../event-log/event-log.module.ts";
import { SettingModule } from "../setting/setting.module.ts";
import { ThreadModule } from "../thread/thread.module.ts";
import { LostAccessConsumer } from "./lost-access.consumer.ts";
import { ShareListHandler } from "./share-list.handler.ts";
import { ShareTokens } from "./share-token.ts";
import { ShareHandler } from "./share.handler.ts";
import { ShareRepository } from "./share.repository.ts";
import { SharedThreadHandler } from "./shared-thread.handler.ts";
import { SharedThreadRepository } from "./shared-thread.repository.ts";

@Module({
  imports: [EventLogModule, SettingModule, ThreadModule],
  controllers: [ShareHandler, ShareListHandler, SharedThreadHandler],
  providers: [LostAccessConsumer, ShareRepository, ShareTokens, SharedThreadRepository],
  exports: [ShareRepository],
})
export class ShareModule {}
