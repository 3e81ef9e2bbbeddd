import { Module } from "@nestjs/common";
import { EventLog } from "./event/event-log.ts";
import { EventConsumer } from "./event/event.consumer.ts";
import { EventHandler } from "./event/event.handler.ts";
import { EventRepository } from "./event/event.repository.ts";
import { MemberConsumer } from "./member/member.consumer.ts";
import { MemberHandler } from "./member/member.handler.ts";
import { MemberRepository } from "./member/member.repository.ts";
import { Membership } from "./member/membership.ts";
import { UserReconciler } from "./member/user.reconciler.ts";
import { PictureHandler } from "./picture/picture.handler.ts";
import { BrandingHandler } from "./preference/branding.handler.ts";
import { OnboardingHandler } from "./preference/onboarding.handler.ts";
import { PreferenceStore } from "./preference/preference-store.ts";
import { PreferenceHandler } from "./preference/preference.handler.ts";
import { PreferenceRepository } from "./preference/preference.repository.ts";
import { PresetHandler } from "./preset/preset.handler.ts";
import { PresetRepository } from "./preset/preset.repository.ts";
import { DefaultPrompt } from "./prompt/default-prompt.ts";
import { PromptHistoryRepository } from "./prompt/prompt-history.repository.ts";
import { PromptHandler } from "./prompt/prompt.handler.ts";
import { ProviderHandler } from "./provider/provider.handler.ts";
import { ReadyProviders } from "./provider/ready-providers.ts";
import { SettingStore } from "./setting/setting-store.ts";
import { SettingHandler } from "./setting/setting.handler.ts";
import { SettingRepository } from "./setting/setting.repository.ts";
import { SuggestedMessageHandler } from "./suggestion/suggested-message.handler.ts";
import { SuggestedMessageRepository } from "./suggestion/suggested-message.repository.ts";
import { UserDirectory } from "./user/user-directory.ts";
import { VariableHandler } from "./variable/variable.handler.ts";
import { VariableRepository } from "./variable/variable.repository.ts";
import { TombstoneReconciler } from "./workspace/tombstone.reconciler.ts";
import { WorkspaceChanges } from "./workspace/workspace-changes.ts";
import { WorkspaceLifecycle } from "./workspace/workspace-lifecycle.ts";
import { WorkspaceOwnerTransfer } from "./workspace/workspace-owner-transfer.ts";
import { WorkspaceHandler } from "./workspace/workspace.handler.ts";
import { WorkspaceRepository } from "./workspace/workspace.repository.ts";

@Module({
  controllers: [
    WorkspaceHandler,
    MemberHandler,
    SettingHandler,
    ProviderHandler,
    PreferenceHandler,
    BrandingHandler,
    OnboardingHandler,
    EventHandler,
    PresetHandler,
    VariableHandler,
    SuggestedMessageHandler,
    PromptHandler,
    PictureHandler,
  ],
  providers: [
    WorkspaceRepository,
    WorkspaceLifecycle,
    WorkspaceOwnerTransfer,
    TombstoneReconciler,
    MemberRepository,
    Membership,
    MemberConsumer,
    UserReconciler,
    UserDirectory,
    SettingRepository,
    SettingStore,
    PreferenceRepository,
    PreferenceStore,
    EventRepository,
    EventLog,
    EventConsumer,
    PresetRepository,
    VariableRepository,
    SuggestedMessageRepository,
    PromptHistoryRepository,
    DefaultPrompt,
    WorkspaceChanges,
    ReadyProviders,
  ],
})
export class WorkspaceServiceModule {}
