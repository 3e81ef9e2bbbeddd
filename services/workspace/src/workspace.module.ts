import { Module } from "@nestjs/common";
import { AuditModule } from "./audit/audit.module.ts";
import { EventModule } from "./event/event.module.ts";
import { LifecycleModule } from "./lifecycle/lifecycle.module.ts";
import { MemberModule } from "./member/member.module.ts";
import { MembershipModule } from "./membership/membership.module.ts";
import { PictureModule } from "./picture/picture.module.ts";
import { PreferenceModule } from "./preference/preference.module.ts";
import { PresetModule } from "./preset/preset.module.ts";
import { PromptModule } from "./prompt/prompt.module.ts";
import { PromptHistoryModule } from "./prompt-history/prompt-history.module.ts";
import { ProviderModule } from "./provider/provider.module.ts";
import { SettingModule } from "./setting/setting.module.ts";
import { SuggestionModule } from "./suggestion/suggestion.module.ts";
import { SystemPreferenceModule } from "./system-preference/system-preference.module.ts";
import { UserModule } from "./user/user.module.ts";
import { VariableModule } from "./variable/variable.module.ts";
import { WebhookModule } from "./webhook/webhook.module.ts";
import { WidgetModule } from "./widget/widget.module.ts";
import { WorkspaceModule } from "./workspace/workspace.module.ts";

@Module({
  imports: [
    AuditModule,
    EventModule,
    LifecycleModule,
    MemberModule,
    MembershipModule,
    PictureModule,
    PreferenceModule,
    PresetModule,
    PromptModule,
    PromptHistoryModule,
    ProviderModule,
    SettingModule,
    SuggestionModule,
    SystemPreferenceModule,
    UserModule,
    VariableModule,
    WidgetModule,
    WebhookModule,
    WorkspaceModule,
  ],
})
export class WorkspaceServiceModule {}
