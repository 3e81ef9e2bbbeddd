import { Module } from "@nestjs/common";
import { BudgetModule } from "./budget/budget.module.ts";
import { CredentialModule } from "./credential/credential.module.ts";
import { DeletionModule } from "./deletion/deletion.module.ts";
import { DictationModule } from "./dictation/dictation.module.ts";
import { ExportModule } from "./export/export.module.ts";
import { FlowRunModule } from "./flow-run/flow-run.module.ts";
import { FlowModule } from "./flow/flow.module.ts";
import { GenerationModule } from "./generation/generation.module.ts";
import { InspectionModule } from "./inspection/inspection.module.ts";
import { InvocationModule } from "./invocation/invocation.module.ts";
import { LocalModelModule } from "./local-model/local-model.module.ts";
import { McpModule } from "./mcp/mcp.module.ts";
import { MemoryModule } from "./memory/memory.module.ts";
import { PluginModule } from "./plugin/plugin.module.ts";
import { RecordModule } from "./record/record.module.ts";
import { ScheduleRunModule } from "./schedule-run/schedule-run.module.ts";
import { SearchModule } from "./search/search.module.ts";
import { ShareModule } from "./share/share.module.ts";
import { SkillPermissionModule } from "./skill-permission/skill-permission.module.ts";
import { SkillSetupModule } from "./skill-setup/skill-setup.module.ts";
import { SpeechModule } from "./speech/speech.module.ts";
import { ThreadModule } from "./thread/thread.module.ts";
import { TitleModule } from "./title/title.module.ts";
import { TrashModule } from "./trash/trash.module.ts";
import { TurnModule } from "./turn/turn.module.ts";
import { UsageModule } from "./usage/usage.module.ts";
import { WebhookModule } from "./webhook/webhook.module.ts";
import { WidgetModule } from "./widget/widget.module.ts";

@Module({
  imports: [
    ThreadModule,
    BudgetModule,
    TurnModule,
    UsageModule,
    CredentialModule,
    FlowModule,
    FlowRunModule,
    LocalModelModule,
    McpModule,
    MemoryModule,
    PluginModule,
    InspectionModule,
    GenerationModule,
    InvocationModule,
    ScheduleRunModule,
    ShareModule,
    TrashModule,
    DeletionModule,
    SkillPermissionModule,
    SkillSetupModule,
    SpeechModule,
    DictationModule,
    TitleModule,
    SearchModule,
    ExportModule,
    WidgetModule,
    WebhookModule,
    RecordModule,
  ],
})
export class ChatModule {}
