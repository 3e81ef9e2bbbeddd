import { Module } from "@nestjs/common";
import { PromptFitter } from "./prompt-fitter.ts";
import { PromptPartResolver } from "./prompt-parts.ts";

@Module({
  providers: [PromptFitter, PromptPartResolver],
  exports: [PromptFitter, PromptPartResolver],
})
export class PromptModule {}
