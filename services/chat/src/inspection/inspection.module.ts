import { Module } from "@nestjs/common";
import { GenerationModule } from "../generation/generation.module.ts";
import { InspectionHandler } from "./inspection.handler.ts";

@Module({ imports: [GenerationModule], controllers: [InspectionHandler] })
export class InspectionModule {}
