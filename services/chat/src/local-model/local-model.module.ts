import { Module } from "@nestjs/common";
import { EventLogModule } from "../event-log/event-log.module.ts";
import { ReplicaModule } from "../replica/replica.module.ts";
import { SettingModule } from "../setting/setting.module.ts";
import { LocalModelPlace } from "./local-model-place.ts";
import { LocalModelUse } from "./local-model-use.ts";
import { LocalModelHandler } from "./local-model.handler.ts";
import { ModelDownloadRepository } from "./model-download.repository.ts";
import { ModelDownloads } from "./model-downloads.ts";

@Module({
  imports: [EventLogModule, ReplicaModule, SettingModule],
  controllers: [LocalModelHandler],
  providers: [LocalModelPlace, LocalModelUse, ModelDownloadRepository, ModelDownloads],
})
export class LocalModelModule {}
