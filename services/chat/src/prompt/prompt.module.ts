import { Module } from "@nestjs/common";
import { PromptFitter } from "./prompt-fitter.ts";
import { PromptPartResolver } from "./prompt-part-resolver.ts";

@Module({
  providers: [PromptFitter, PromptPartResolver],
  exports: [PromptFitter, PromptPartResolver],
})
export class PromptModule {}
