import { Module } from "@nestjs/common";
import { PreferenceModule } from "../preference/preference.module.ts";
import { PresetModule } from "../preset/preset.module.ts";
import { PromptHistoryModule } from "../prompt-history/prompt-history.module.ts";
import { UserModule } from "../user/user.module.ts";
import { VariableModule } from "../variable/variable.module.ts";
import { WorkspaceModule } from "../workspace/workspace.module.ts";
import { DefaultPromptHandler } from "./default-prompt.handler.ts";
import { PromptHistoryHandler } from "./prompt-history.handler.ts";
import { PromptHandler } from "./prompt.handler.ts";

@Module({
  imports: [
    PreferenceModule,
    PresetModule,
    PromptHistoryModule,
    UserModule,
    VariableModule,
    WorkspaceModule,
  ],
  controllers: [DefaultPromptHandler, PromptHandler, PromptHistoryHandler],
})
export class PromptModule {}
