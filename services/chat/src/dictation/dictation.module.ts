import { Module } from "@nestjs/common";
import { SettingModule } from "../setting/setting.module.ts";
import { DictationHandler } from "./dictation.handler.ts";

@Module({ imports: [SettingModule], controllers: [DictationHandler] })
export class DictationModule {}
