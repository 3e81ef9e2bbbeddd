import { Module } from "@nestjs/common";
import { JwtModule } from "@nestjs/jwt";
import { EventModule } from "../event/event.module.ts";
import { WorkspaceModule } from "../workspace/workspace.module.ts";
import { QuestionLimits } from "./question-limits.ts";
import { VisitorHandler } from "./visitor.handler.ts";
import { VisitorTokens } from "./visitor-tokens.ts";
import { WidgetHandler } from "./widget.handler.ts";
import { WidgetRepository } from "./widget.repository.ts";

@Module({
  imports: [EventModule, JwtModule.register({}), WorkspaceModule],
  controllers: [VisitorHandler, WidgetHandler],
  providers: [QuestionLimits, VisitorTokens, WidgetRepository],
  exports: [WidgetRepository],
})
export class WidgetModule {}
