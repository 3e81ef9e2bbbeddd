import { Module } from "@nestjs/common";
import { WorkspaceModule } from "../workspace/workspace.module.ts";
import { SuggestedMessageHandler } from "./suggested-message.handler.ts";
import { SuggestedMessageRepository } from "./suggested-message.repository.ts";

@Module({
  imports: [WorkspaceModule],
  controllers: [SuggestedMessageHandler],
  providers: [SuggestedMessageRepository],
})
export class SuggestionModule {}
