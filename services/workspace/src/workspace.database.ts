import { ownerTransferMigration, type ServiceDatabase } from "@carrel/database";
import { messagingMigration } from "@carrel/messaging";
import { LoggedEvent } from "./event/event.entity.ts";
import { Member } from "./member/member.entity.ts";
import { Preference } from "./preference/preference.entity.ts";
import { Preset } from "./preset/preset.entity.ts";
import { PromptHistoryEntry } from "./prompt-history/prompt-history.entity.ts";
import { Setting } from "./setting/setting.entity.ts";
import { SuggestedMessage } from "./suggestion/suggested-message.entity.ts";
import { Variable } from "./variable/variable.entity.ts";
import { WebhookDelivery } from "./webhook/webhook-delivery.entity.ts";
import { Webhook } from "./webhook/webhook.entity.ts";
import { Widget } from "./widget/widget.entity.ts";
import { Workspace } from "./workspace/workspace.entity.ts";
import { RenameModelPrices1795720000000 } from "./database/migrations/1795720000000-RenameModelPrices.ts";
import { AddAnswerParameters1796000000000 } from "./database/migrations/1796000000000-AddAnswerParameters.ts";
import { AddFallbackModels1795600000000 } from "./database/migrations/1795600000000-AddFallbackModels.ts";
import { ChainEvents1795800000000 } from "./database/migrations/1795800000000-ChainEvents.ts";
import { CreateWidgets1795640000000 } from "./database/migrations/1795640000000-CreateWidgets.ts";
import { CreateMember1763700000000 } from "./database/migrations/1763700000000-CreateMember.ts";
import { CreatePreset1763730000000 } from "./database/migrations/1763730000000-CreatePreset.ts";
import { CreateSetting1763690500000 } from "./database/migrations/1763690500000-CreateSetting.ts";
import { CreateWebhooks1795700000000 } from "./database/migrations/1795700000000-CreateWebhooks.ts";
import { CreateWorkspace1763690400000 } from "./database/migrations/1763690400000-CreateWorkspace.ts";

export const workspaceDatabase: ServiceDatabase = {
  schema: "workspace",
  entities: [
    Workspace,
    Member,
    Setting,
    Preference,
    LoggedEvent,
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
  ],
};
