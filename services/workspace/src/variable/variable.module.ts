import { Module } from "@nestjs/common";
import { VariableHandler } from "./variable.handler.ts";
import { VariableRepository } from "./variable.repository.ts";

@Module({
  controllers: [VariableHandler],
  providers: [VariableRepository],
  exports: [VariableRepository],
})
export class VariableModule {}
