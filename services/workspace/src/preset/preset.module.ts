import { Module } from "@nestjs/common";
import { PresetHandler } from "./preset.handler.ts";
import { PresetRepository } from "./preset.repository.ts";

@Module({
  controllers: [PresetHandler],
  providers: [PresetRepository],
  exports: [PresetRepository],
})
export class PresetModule {}
