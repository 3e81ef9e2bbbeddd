import { Module } from "@nestjs/common";
import { GenerationModule } from "../generation/generation.module.ts";
import { ExportHandler } from "./export.handler.ts";

@Module({ imports: [GenerationModule], controllers: [ExportHandler] })
export class ExportModule {}
