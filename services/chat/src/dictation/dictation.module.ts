import { Module } from "@nestjs/common";
import { BudgetModule } from "../budget/budget.module.ts";
import { SettingModule } from "../setting/setting.module.ts";
import { DictationHandler } from "./dictation.handler.ts";

@Module({ imports: [BudgetModule, SettingModule], controllers: [DictationHandler] })
export class DictationModule {}
