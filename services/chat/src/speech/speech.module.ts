import { Module } from "@nestjs/common";
import { SettingModule } from "../setting/setting.module.ts";
import { TurnModule } from "../turn/turn.module.ts";
import { Speaker } from "./speaker.ts";
import { SpeechHandler } from "./speech.handler.ts";
import { SpeechModels } from "./speech-models.ts";

@Module({
  imports: [SettingModule, TurnModule],
  controllers: [SpeechHandler],
  providers: [Speaker, SpeechModels],
})
export class SpeechModule {}
