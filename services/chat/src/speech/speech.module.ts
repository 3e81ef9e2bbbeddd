import { Module } from "@nestjs/common";
import { BudgetModule } from "../budget/budget.module.ts";
import { SettingModule } from "../setting/setting.module.ts";
import { TurnModule } from "../turn/turn.module.ts";
import { Speaker, SpeechModels } from "./speaker.ts";
import { SpeechHandler } from "./speech.handler.ts";

@Module({
  imports: [BudgetModule, SettingModule, TurnModule],
  controllers: [SpeechHandler],
  providers: [Speaker, SpeechModels],
})
export class SpeechModule {}
