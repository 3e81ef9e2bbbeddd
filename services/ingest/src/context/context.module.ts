import { Module } from "@nestjs/common";
import { DocumentModule } from "../document/document.module.ts";
import { ContextTexts } from "./context-texts.ts";
import { ContextHandler } from "./context.handler.ts";

@Module({
  imports: [DocumentModule],
  controllers: [ContextHandler],
  providers: [ContextTexts],
})
export class ContextModule {}
