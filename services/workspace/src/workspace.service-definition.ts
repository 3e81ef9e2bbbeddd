import { ownerTransferMigration, type ServiceDatabase } from "@carrel/database";
import { messagingMigration } from "@carrel/messaging";
import { defineService, type ServiceDefinition } from "@carrel/runtime";
import { Module } from "@nestjs/common";
import { AgentSettingModule } from "./agent-setting/agent-setting.module.ts";
import { AuditModule } from "./audit/audit.module.ts";
import { CreateWorkspace1763690400000 } from "./database/migrations/1763690400000-CreateWorkspace.ts";
import { CreateSetting1763690500000 } from "./database/migrations/1763690500000-CreateSetting.ts";
import { CreateMember1763700000000 } from "./database/migrations/1763700000000-CreateMember.ts";
import { CreatePreset1763730000000 } from "./database/migrations/1763730000000-CreatePreset.ts";
import { AddFallbackModels1795600000000 } from "./database/migrations/1795600000000-AddFallbackModels.ts";
import { CreateWidgets1795640000000 } from "./database/migrations/1795640000000-CreateWidgets.ts";
import { CreateWebhooks1795700000000 } from "./database/migrations/1795700000000-CreateWebhooks.ts";
import { RenameModelPrices1795720000000 } from "./database/migrations/1795720000000-RenameModelPrices.ts";
import { ChainEvents1795800000000 } from "./database/migrations/1795800000000-ChainEvents.ts";
import { AddAnswerParameters1796000000000 } from "./database/migrations/1796000000000-AddAnswerParameters.ts";
import { AddAgentSettings1796100000000 } from "./database/migrations/1796100000000-AddAgentSettings.ts";
import { CreateNotices1796120000000 } from "./database/migrations/1796120000000-CreateNotices.ts";
import { NoticeSchedules1796300300000 } from "./database/migrations/1796300300000-NoticeSchedules.ts";
import { NoticeFlowRuns1796300530000 } from "./database/migrations/1796300530000-NoticeFlowRuns.ts";
import { NoticeFlows1796300540000 } from "./database/migrations/1796300540000-NoticeFlows.ts";
import { LoggedEvent } from "./event/event.entity.ts";
import { EventModule } from "./event/event.module.ts";
import { LifecycleModule } from "./lifecycle/lifecycle.module.ts";
import { Member } from "./member/member.entity.ts";
import { MemberModule } from "./member/member.repository.ts";
import { MembershipModule } from "./membership/membership.module.ts";
import { Notice } from "./notice/notice.entity.ts";
import { NoticeModule } from "./notice/notice.module.ts";
import { PictureModule } from "./picture/picture.module.ts";
import { Preference } from "./preference/preference.entity.ts";
import { PreferenceModule } from "./preference/preference.module.ts";
import { Preset } from "./preset/preset.entity.ts";
import { PresetModule } from "./preset/preset.module.ts";
import { PromptHistoryEntry } from "./prompt-history/prompt-history.entity.ts";
import { PromptHistoryModule } from "./prompt-history/prompt-history.repository.ts";
import { PromptModule } from "./prompt/prompt.module.ts";
import { ProviderModule } from "./provider/provider.module.ts";
import { Setting } from "./setting/setting.entity.ts";
import { SettingModule } from "./setting/setting.module.ts";
import { SuggestedMessage } from "./suggestion/suggested-message.entity.ts";
import { SuggestionModule } from "./suggestion/suggestion.module.ts";
import { SystemPreferenceModule } from "./system-preference/system-preference.module.ts";
import { UserModule } from "./user/user-directory.ts";
import { Variable } from "./variable/variable.entity.ts";
import { VariableModule } from "./variable/variable.module.ts";
import { WebhookDelivery } from "./webhook/webhook-delivery.entity.ts";
import { Webhook } from "./webhook/webhook.entity.ts";
import { WebhookModule } from "./webhook/webhook.module.ts";
import { Widget } from "./widget/widget.entity.ts";
import { WidgetModule } from "./widget/widget.module.ts";
import { workspaceShape } from "./workspace.config.ts";
import { WorkspaceModule } from "./workspace/workspace-read.repository.ts";
import { Workspace } from "./workspace/workspace.entity.ts";

const workspaceDatabase: ServiceDatabase = {
  schema: "workspace",
  entities: [
    Workspace,
    Member,
    Setting,
    Preference,
    LoggedEvent,
    Notice,
    Preset,
    Variable,
    SuggestedMessage,
    PromptHistoryEntry,
    Widget,
    Webhook,
    WebhookDelivery,
  ],
  migrations: [
    messagingMigration("workspace"),
    CreateWorkspace1763690400000,
    CreateSetting1763690500000,
    CreateMember1763700000000,
    ownerTransferMigration("workspace"),
    CreatePreset1763730000000,
    AddFallbackModels1795600000000,
    CreateWidgets1795640000000,
    CreateWebhooks1795700000000,
    ChainEvents1795800000000,
    RenameModelPrices1795720000000,
    AddAnswerParameters1796000000000,
    AddAgentSettings1796100000000,
    CreateNotices1796120000000,
    NoticeSchedules1796300300000,
    NoticeFlowRuns1796300530000,
    NoticeFlows1796300540000,
  ],
};

@Module({
  imports: [
    AgentSettingModule,
    AuditModule,
    EventModule,
    LifecycleModule,
    MemberModule,
    MembershipModule,
    NoticeModule,
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
class WorkspaceServiceModule {}

/** The service for workspaces and the instance's settings. */
export const workspaceService: ServiceDefinition = defineService({
  name: "workspace",
  watchesBackups: true,
  module: WorkspaceServiceModule,
  database: workspaceDatabase,
  shape: workspaceShape,
});
