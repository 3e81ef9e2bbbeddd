import { CONFIG } from "@carrel/runtime";
import { BLOB_STORE, openBlobStore } from "@carrel/storage";
import { Module } from "@nestjs/common";
import { DiscoveryModule } from "@nestjs/core";
import { Authenticator } from "./access/authenticator.ts";
import { Guard, KeyRates, MemberRights } from "./access/guard.ts";
import { WorkspaceFreshness } from "./access/workspace-freshness.ts";
import { CachedAccess, WorkspaceScopes } from "./access/workspace-scopes.ts";
import { AgentHandOff } from "./agent/agent-hand-off.ts";
import { AgentSockets } from "./agent/agent-sockets.ts";
import { FileDownloads } from "./agent/file-downloads.ts";
import { SessionPorts } from "./agent/session-ports.ts";
import { ChangeLog } from "./change/change-log.ts";
import { ChangeRoutes } from "./change/change.routes.ts";
import { ChatImages } from "./chat/chat-images.ts";
import { ChatRoutes } from "./chat/chat.routes.ts";
import { GenerationCollector } from "./chat/collect-generation.ts";
import { ExportRoutes } from "./chat/export.routes.ts";
import { GeneratedFileRoutes } from "./chat/generated-file.routes.ts";
import { GenerationRelay } from "./chat/generation-relay.ts";
import { HistoryPages, HistoryRoutes } from "./chat/history.routes.ts";
import { SearchRoutes } from "./chat/search.routes.ts";
import { SpeechRoutes } from "./chat/speech.routes.ts";
import { ConnectionRoutes } from "./connection/connection.routes.ts";
import { ImportRoutes } from "./connection/import.routes.ts";
import { OnceImport } from "./connection/once-import.ts";
import { RepositoryImportRoutes } from "./connection/repository-import.routes.ts";
import { VaultImportRoutes } from "./connection/vault-import.routes.ts";
import { WikiImportRoutes } from "./connection/wiki-import.routes.ts";
import {
  DeveloperDocumentRoutes,
  DeveloperFolderRoutes,
} from "./developer/developer-document.routes.ts";
import { DeveloperRoutes, DeveloperSystemRoutes } from "./developer/developer-system.routes.ts";
import { DeveloperThreadRoutes } from "./developer/developer-thread.routes.ts";
import {
  DeveloperHistory,
  DeveloperWorkspaceRoutes,
} from "./developer/developer-workspace.routes.ts";
import { ExtensionRoutes } from "./developer/extension.routes.ts";
import { AttachedDocuments, KeyQuestions } from "./developer/key-questions.ts";
import { RawTexts } from "./developer/raw-texts.ts";
import { DocumentJson } from "./document/document-json.ts";
import { DocumentWait } from "./document/document-wait.ts";
import { DocumentRoutes } from "./document/document.routes.ts";
import { LibraryRoutes } from "./document/library.routes.ts";
import { OriginalRoutes } from "./document/original.routes.ts";
import { ParsedFileRoutes } from "./document/parsed-file.routes.ts";
import { ProgressRoutes } from "./document/progress.routes.ts";
import { EventLogRoutes } from "./event-log/event-log.routes.ts";
import { FlowRunProgress } from "./flow/flow-run-progress.ts";
import { FlowRunRoutes } from "./flow/flow-run.routes.ts";
import { RouteMounter } from "./http/route-mounter.ts";
import { HookRoutes } from "./live-sync/hook.routes.ts";
import { LiveSyncRoutes } from "./live-sync/live-sync.routes.ts";
import { McpEndpointRoutes } from "./mcp/mcp-endpoint.routes.ts";
import { McpSignInRoutes } from "./mcp/mcp-sign-in.routes.ts";
import { WorkspaceTools } from "./mcp/workspace-tools.ts";
import { MetricsRoutes } from "./metrics.routes.ts";
import { OpenAiAnswerRoutes } from "./openai/openai-answer.routes.ts";
import { OpenAiListRoutes } from "./openai/openai-list.routes.ts";
import { OpenAiQuestions } from "./openai/openai-questions.ts";
import { OpenIdRoutes } from "./openid/openid.routes.ts";
import { LogoRoutes } from "./picture/logo.routes.ts";
import { PictureStore } from "./picture/picture-store.ts";
import { ProfilePictureRoutes } from "./picture/profile-picture.routes.ts";
import { UserDeletionRoutes } from "./picture/user-deletion.routes.ts";
import { PluginRoutes } from "./plugin/plugin.routes.ts";
import { RecordExportRoutes } from "./record/record-export.routes.ts";
import { RecordNames, RecordedChatsView } from "./record/recorded-chats.view.ts";
import { VectorSearchRoutes } from "./retrieval/vector-search.routes.ts";
import { RecoveryRoutes } from "./session/recovery.routes.ts";
import { SessionRoutes } from "./session/session.routes.ts";
import { SetupRoutes } from "./setting/setup.routes.ts";
import { SkillSetupRoutes } from "./skill-setup/skill-setup.routes.ts";
import { EventStreams } from "./stream/event-stream.ts";
import { SystemConditionsRoutes } from "./system-conditions.routes.ts";
import { UsageRoutes } from "./usage/usage.routes.ts";
import { PageBranding } from "./web/web-app.ts";
import { VisitorHistory } from "./widget/visitor-frames.ts";
import { VisitorRoutes } from "./widget/visitor.routes.ts";
import { WidgetChatRoutes } from "./widget/widget-chat.routes.ts";
import { WidgetPages } from "./widget/widget-cors.ts";
import { WorkspacePictureRoutes } from "./workspace/picture.routes.ts";
import { WorkspaceDeletionRoutes } from "./workspace/workspace-deletion.routes.ts";
import { WorkspaceList } from "./workspace/workspace-list.ts";
import { WorkspaceView } from "./workspace/workspace.view.ts";

@Module({
  imports: [DiscoveryModule],
  providers: [
    Authenticator,
    WorkspaceFreshness,
    WorkspaceScopes,
    CachedAccess,
    Guard,
    KeyRates,
    MemberRights,
    RouteMounter,
    EventStreams,
    GenerationRelay,
    GenerationCollector,
    DocumentWait,
    DocumentJson,
    {
      provide: BLOB_STORE,
      inject: [CONFIG],
      useFactory: openBlobStore,
    },
    OpenAiAnswerRoutes,
    OpenAiListRoutes,
    OpenAiQuestions,
    McpSignInRoutes,
    SkillSetupRoutes,
    OpenIdRoutes,
    SessionRoutes,
    RecoveryRoutes,
    SetupRoutes,
    PictureStore,
    ProfilePictureRoutes,
    UserDeletionRoutes,
    LogoRoutes,
    PageBranding,
    DeveloperRoutes,
    DeveloperDocumentRoutes,
    DeveloperFolderRoutes,
    RecordNames,
    RecordedChatsView,
    RecordExportRoutes,
    AttachedDocuments,
    DeveloperHistory,
    DeveloperSystemRoutes,
    DeveloperThreadRoutes,
    DeveloperWorkspaceRoutes,
    KeyQuestions,
    VectorSearchRoutes,
    RawTexts,
    ExtensionRoutes,
    WorkspaceView,
    WorkspaceList,
    WorkspaceDeletionRoutes,
    WorkspacePictureRoutes,
    ChatImages,
    AgentHandOff,
    AgentSockets,
    FileDownloads,
    SessionPorts,
    ChatRoutes,
    SearchRoutes,
    ExportRoutes,
    SpeechRoutes,
    HistoryPages,
    HistoryRoutes,
    ChangeLog,
    ChangeRoutes,
    ProgressRoutes,
    ConnectionRoutes,
    ImportRoutes,
    RepositoryImportRoutes,
    VaultImportRoutes,
    WikiImportRoutes,
    OnceImport,
    DocumentRoutes,
    ParsedFileRoutes,
    LibraryRoutes,
    GeneratedFileRoutes,
    OriginalRoutes,
    FlowRunProgress,
    FlowRunRoutes,
    HookRoutes,
    LiveSyncRoutes,
    McpEndpointRoutes,
    WorkspaceTools,
    MetricsRoutes,
    SystemConditionsRoutes,
    PluginRoutes,
    UsageRoutes,
    EventLogRoutes,
    WidgetPages,
    VisitorHistory,
    VisitorRoutes,
    WidgetChatRoutes,
  ],
})
export class GatewayModule {}
