import { ownerTransferMigration, type ServiceDatabase } from "@carrel/database";
import { messagingMigration } from "@carrel/messaging";
import { hashKeyMigration } from "@carrel/runtime";
import { CreateThreadsAndTurns1795220000000 } from "./database/migrations/1795220000000-CreateThreadsAndTurns.ts";
import { CreateQuestions1795250000000 } from "./database/migrations/1795250000000-CreateQuestions.ts";
import { BranchTurns1795300000000 } from "./database/migrations/1795300000000-BranchTurns.ts";
import { AddPromptClientAndAttachments1795310000000 } from "./database/migrations/1795310000000-AddPromptClientAndAttachments.ts";
import { IndexLeases1795320000000 } from "./database/migrations/1795320000000-IndexLeases.ts";
import { NoteDeletedAnswers1795330000000 } from "./database/migrations/1795330000000-NoteDeletedAnswers.ts";
import { FoldSearchWords1795340000000 } from "./database/migrations/1795340000000-FoldSearchWords.ts";
import { CreateInspections1795370000000 } from "./database/migrations/1795370000000-CreateInspections.ts";
import { KeepNotices1795385000000 } from "./database/migrations/1795385000000-KeepNotices.ts";
import { CreateMemories1795390000000 } from "./database/migrations/1795390000000-CreateMemories.ts";
import { CodeNoticesAndFaults1795400000000 } from "./database/migrations/1795400000000-CodeNoticesAndFaults.ts";
import { CountLostRuns1795410000000 } from "./database/migrations/1795410000000-CountLostRuns.ts";
import { MarkRemovedTurns1795420000000 } from "./database/migrations/1795420000000-MarkRemovedTurns.ts";
import { CreateShares1795430000000 } from "./database/migrations/1795430000000-CreateShares.ts";
import { MarkThreads1795431000000 } from "./database/migrations/1795431000000-MarkThreads.ts";
import { ExplainRatings1795432000000 } from "./database/migrations/1795432000000-ExplainRatings.ts";
import { ChooseModels1795440000000 } from "./database/migrations/1795440000000-ChooseModels.ts";
import { RenameEmbedderNotice1795442000000 } from "./database/migrations/1795442000000-RenameEmbedderNotice.ts";
import { CreateModelUsage1795460000000 } from "./database/migrations/1795460000000-CreateModelUsage.ts";
import { CreateBudgets1795461000000 } from "./database/migrations/1795461000000-CreateBudgets.ts";
import { RecordEmbeddings1795470000000 } from "./database/migrations/1795470000000-RecordEmbeddings.ts";
import { AddConversations1795483000000 } from "./database/migrations/1795483000000-AddConversations.ts";
import { IndexWidgetChats1795490000000 } from "./database/migrations/1795490000000-IndexWidgetChats.ts";
import { AnnounceAnswers1795700000000 } from "./database/migrations/1795700000000-AnnounceAnswers.ts";
import { RecordMediaUse1795710000000 } from "./database/migrations/1795710000000-RecordMediaUse.ts";
import { SumUsageByHour1795711000000 } from "./database/migrations/1795711000000-SumUsageByHour.ts";
import { KeepToolCalls1795712000000 } from "./database/migrations/1795712000000-KeepToolCalls.ts";
import { RecordWidgetUse1795713000000 } from "./database/migrations/1795713000000-RecordWidgetUse.ts";
import { ChargeApiEmbeddings1795720000000 } from "./database/migrations/1795720000000-ChargeApiEmbeddings.ts";
import { KeepReasoning1795730000000 } from "./database/migrations/1795730000000-KeepReasoning.ts";
import { ChooseSharedReasoning1795731000000 } from "./database/migrations/1795731000000-ChooseSharedReasoning.ts";
import { AddThreadParameters1796001000000 } from "./database/migrations/1796001000000-AddThreadParameters.ts";
import { IndexRefusals1796031000000 } from "./database/migrations/1796031000000-IndexRefusals.ts";
import { KeepMentions1796070000000 } from "./database/migrations/1796070000000-KeepMentions.ts";
import { KeepQuestionChoices1796080000000 } from "./database/migrations/1796080000000-KeepQuestionChoices.ts";
import { RecordSteps1796090000000 } from "./database/migrations/1796090000000-RecordSteps.ts";
import { CreateMcpServers1796110000000 } from "./database/migrations/1796110000000-CreateMcpServers.ts";
import { CreateSkillPermissions1796110000000 } from "./database/migrations/1796110000000-CreateSkillPermissions.ts";
import { CreateAgentInvocations1796130000000 } from "./database/migrations/1796130000000-CreateAgentInvocations.ts";
import { RecordWhatAnswersRead1796210000000 } from "./database/migrations/1796210000000-RecordWhatAnswersRead.ts";
import { RecordToolSwitches1796230000000 } from "./database/migrations/1796230000000-RecordToolSwitches.ts";
import { KeepAgentCalls1796240000000 } from "./database/migrations/1796240000000-KeepAgentCalls.ts";
import { CreateFlows1796250000000 } from "./database/migrations/1796250000000-CreateFlows.ts";
import { CreateFlowRuns1796300100000 } from "./database/migrations/1796300100000-CreateFlowRuns.ts";
import { CreateCredentials1796300200000 } from "./database/migrations/1796300200000-CreateCredentials.ts";
import { CreateSchedules1796300300000 } from "./database/migrations/1796300300000-CreateSchedules.ts";
import { CreatePlugins1796300400000 } from "./database/migrations/1796300400000-CreatePlugins.ts";
import { RememberPluginFolders1796300450000 } from "./database/migrations/1796300450000-RememberPluginFolders.ts";
import { RecordDeniedFlowCalls1796300510000 } from "./database/migrations/1796300510000-RecordDeniedFlowCalls.ts";
import { AnnounceSchedules1796300520000 } from "./database/migrations/1796300520000-AnnounceSchedules.ts";
import { CreateModelDownloads1796500000000 } from "./database/migrations/1796500000000-CreateModelDownloads.ts";
import { Generation } from "./generation/generation.entity.ts";
import { Thread } from "./thread/thread.entity.ts";
import { Turn } from "./turn/turn.entity.ts";

export const chatDatabase: ServiceDatabase = {
  schema: "chat",
  entities: [Thread, Turn, Generation],
  migrations: [
    messagingMigration("chat"),
    CreateThreadsAndTurns1795220000000,
    ownerTransferMigration("chat"),
    CreateQuestions1795250000000,
    BranchTurns1795300000000,
    AddPromptClientAndAttachments1795310000000,
    IndexLeases1795320000000,
    NoteDeletedAnswers1795330000000,
    FoldSearchWords1795340000000,
    CreateInspections1795370000000,
    KeepNotices1795385000000,
    CreateMemories1795390000000,
    CodeNoticesAndFaults1795400000000,
    CountLostRuns1795410000000,
    MarkRemovedTurns1795420000000,
    CreateShares1795430000000,
    MarkThreads1795431000000,
    ExplainRatings1795432000000,
    ChooseModels1795440000000,
    RenameEmbedderNotice1795442000000,
    CreateModelUsage1795460000000,
    CreateBudgets1795461000000,
    RecordEmbeddings1795470000000,
    AddConversations1795483000000,
    AnnounceAnswers1795700000000,
    RecordMediaUse1795710000000,
    SumUsageByHour1795711000000,
    KeepToolCalls1795712000000,
    RecordWidgetUse1795713000000,
    ChargeApiEmbeddings1795720000000,
    KeepReasoning1795730000000,
    ChooseSharedReasoning1795731000000,
    IndexWidgetChats1795490000000,
    IndexRefusals1796031000000,
    AddThreadParameters1796001000000,
    KeepMentions1796070000000,
    KeepQuestionChoices1796080000000,
    RecordSteps1796090000000,
    CreateMcpServers1796110000000,
    CreateSkillPermissions1796110000000,
    CreateAgentInvocations1796130000000,
    RecordWhatAnswersRead1796210000000,
    RecordToolSwitches1796230000000,
    KeepAgentCalls1796240000000,
    CreateFlows1796250000000,
    CreateFlowRuns1796300100000,
    CreateCredentials1796300200000,
    CreateSchedules1796300300000,
    CreatePlugins1796300400000,
    RememberPluginFolders1796300450000,
    RecordDeniedFlowCalls1796300510000,
    AnnounceSchedules1796300520000,
    hashKeyMigration("chat", "1796400000000"),
    CreateModelDownloads1796500000000,
  ],
};
