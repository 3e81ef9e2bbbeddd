import { Module } from "@nestjs/common";
import { ThreadModule } from "../thread/thread.module.ts";
import { ExportHandler } from "./export.handler.ts";

@Module({ imports: [ThreadModule], controllers: [ExportHandler] })
export class ExportModule {}
