# Generated from docs/openapi.json by `./carrel clients`.
from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict


class Attachment(TypedDict):
    name: str
    mime: str
    contentString: str


class ChatAnswerOutput1(TypedDict):
    filename: str
    storageFilename: str
    fileSize: int


ChatAnswerOutputRechartVisualizePayload = TypedDict(
    "ChatAnswerOutputRechartVisualizePayload",
    {
        "type": "Literal['area'] | Literal['bar'] | Literal['line'] | Literal['composed'] | Literal['scatter'] | Literal['pie'] | Literal['radar'] | Literal['radialBar'] | Literal['treemap'] | Literal['funnel']",
        "dataset": "str",
        "title": "str",
        "caption": "NotRequired[str]",
    },
)


ChatAnswerOutputRechartVisualize = TypedDict(
    "ChatAnswerOutputRechartVisualize",
    {
        "type": "Literal['rechartVisualize']",
        "payload": "ChatAnswerOutputRechartVisualizePayload",
    },
)


ChatAnswer = TypedDict(
    "ChatAnswer",
    {
        "id": "str",
        "type": "Literal['textResponse'] | Literal['abort']",
        "close": "Literal[True]",
        "error": "str | None",
        "chatId": "NotRequired[int]",
        "textResponse": "str | None",
        "sources": "list[Source]",
        "metrics": "Metrics | dict[str, Any]",
        "thoughts": "NotRequired[list[str]]",
        "outputs": "NotRequired[list[ChatAnswerOutput1 | ChatAnswerOutputRechartVisualize]]",
    },
)


class ChatCompletionChoiceMessageAnnotationUrlCitation(TypedDict):
    start_index: int
    end_index: int
    title: str
    url: str


ChatCompletionChoiceMessageAnnotation = TypedDict(
    "ChatCompletionChoiceMessageAnnotation",
    {
        "type": "Literal['url_citation']",
        "url_citation": "ChatCompletionChoiceMessageAnnotationUrlCitation",
        "carrel_source": "Source",
    },
)


class ChatCompletionChoiceMessageToolCallFunction(TypedDict):
    name: str
    arguments: str


ChatCompletionChoiceMessageToolCall = TypedDict(
    "ChatCompletionChoiceMessageToolCall",
    {
        "id": "str",
        "type": "Literal['function']",
        "function": "ChatCompletionChoiceMessageToolCallFunction",
    },
)


class ChatCompletionChoiceMessage(TypedDict):
    role: Literal["assistant"]
    content: str
    reasoning_content: NotRequired[str]
    annotations: list[ChatCompletionChoiceMessageAnnotation]
    tool_calls: NotRequired[list[ChatCompletionChoiceMessageToolCall]]


class ChatCompletionChoice(TypedDict):
    index: Literal[0]
    message: ChatCompletionChoiceMessage
    logprobs: None
    finish_reason: Literal["stop"] | Literal["length"] | Literal["tool_calls"] | Literal["abort"] | Literal["no_content"]


class ChatCompletion(TypedDict):
    id: str
    object: Literal["chat.completion"]
    created: int
    model: str
    choices: list[ChatCompletionChoice]
    usage: Metrics | dict[str, Any]


class Document(TypedDict):
    id: str
    url: str
    title: str
    docAuthor: str
    description: str
    docSource: str
    chunkSource: str
    published: str
    wordCount: int
    pageContent: str
    token_count_estimate: int
    location: str
    isDirectUpload: bool


class HistoryItemUserAttachment(TypedDict):
    name: str
    mime: str
    contentString: str
    blobKey: NotRequired[str]


class HistoryItemUser(TypedDict):
    role: Literal["user"]
    content: str
    sentAt: int
    attachments: list[HistoryItemUserAttachment]
    chatId: int


HistoryItemAssistantOutput = TypedDict(
    "HistoryItemAssistantOutput",
    {
        "type": "Literal['fileDownloadCard']",
        "payload": "ChatAnswerOutput1",
    },
)


class HistoryItemAssistantClarifyingQuestionQuestion1(TypedDict):
    kind: Literal["input"]
    question: str
    inputType: Literal["text"] | Literal["url"] | Literal["number"] | Literal["date"] | Literal["email"] | Literal["textarea"]
    placeholder: str


class HistoryItemAssistantClarifyingQuestionQuestion2(TypedDict):
    kind: Literal["choice"]
    question: str
    options: list[str]
    optionDescriptions: list[str]
    multiSelect: bool
    allowOther: bool


class HistoryItemAssistantClarifyingQuestionResultAnswer(TypedDict):
    skipped: bool
    answer: str | list[str] | None


class HistoryItemAssistantClarifyingQuestionResult(TypedDict):
    skipped: bool
    answers: list[HistoryItemAssistantClarifyingQuestionResultAnswer]


class HistoryItemAssistantClarifyingQuestion(TypedDict):
    questions: list[HistoryItemAssistantClarifyingQuestionQuestion1 | HistoryItemAssistantClarifyingQuestionQuestion2]
    result: HistoryItemAssistantClarifyingQuestionResult


HistoryItemAssistant = TypedDict(
    "HistoryItemAssistant",
    {
        "role": "Literal['assistant']",
        "type": "str",
        "content": "str",
        "sources": "list[Source]",
        "chatId": "int",
        "sentAt": "int",
        "feedbackScore": "bool | None",
        "metrics": "Metrics | dict[str, Any]",
        "outputs": "NotRequired[list[HistoryItemAssistantOutput]]",
        "clarifyingQuestions": "NotRequired[list[HistoryItemAssistantClarifyingQuestion]]",
    },
)


HistoryItem: TypeAlias = "HistoryItemUser | HistoryItemAssistant"


class InviteClaimedBy(TypedDict):
    id: int
    username: str


class Invite(TypedDict):
    id: int
    code: str
    status: Literal["pending"] | Literal["claimed"] | Literal["disabled"]
    claimedBy: InviteClaimedBy | None
    workspaceIds: str
    createdAt: str
    createdBy: InviteClaimedBy | int | None
    lastUpdatedAt: str


LibraryFile = TypedDict(
    "LibraryFile",
    {
        "name": "str",
        "type": "Literal['file']",
        "id": "str",
        "url": "str",
        "title": "str",
        "docAuthor": "str",
        "description": "str",
        "docSource": "str",
        "chunkSource": "str",
        "published": "str",
        "wordCount": "int",
        "token_count_estimate": "int",
        "cached": "bool",
        "canWatch": "bool",
        "pinnedWorkspaces": "list[int]",
        "watched": "bool",
    },
)


class Metrics(TypedDict):
    prompt_tokens: int
    completion_tokens: int
    total_tokens: int
    outputTps: float
    duration: float
    model: NotRequired[str]
    provider: NotRequired[str]
    timestamp: str
    finish_reason: NotRequired[Literal["length"]]
    answer_kind: NotRequired[Literal["closest-passages"] | Literal["nothing-found"]]
    inputCost: NotRequired[float]
    outputCost: NotRequired[float]
    totalCost: NotRequired[float]


class OpenAiResponseError(TypedDict):
    code: Literal["server_error"]
    message: str


class OpenAiResponseIncompleteDetails(TypedDict):
    reason: Literal["max_output_tokens"]


OpenAiResponseOutputItemReasoningSummaryItem = TypedDict(
    "OpenAiResponseOutputItemReasoningSummaryItem",
    {
        "type": "Literal['summary_text']",
        "text": "str",
    },
)


OpenAiResponseOutputItemReasoning = TypedDict(
    "OpenAiResponseOutputItemReasoning",
    {
        "id": "str",
        "type": "Literal['reasoning']",
        "status": "Literal['in_progress'] | Literal['completed']",
        "summary": "list[OpenAiResponseOutputItemReasoningSummaryItem]",
    },
)


OpenAiResponseOutputItemMessageContentItemAnnotation = TypedDict(
    "OpenAiResponseOutputItemMessageContentItemAnnotation",
    {
        "type": "Literal['url_citation']",
        "start_index": "int",
        "end_index": "int",
        "title": "str",
        "url": "str",
        "carrel_source": "Source",
    },
)


OpenAiResponseOutputItemMessageContentItem = TypedDict(
    "OpenAiResponseOutputItemMessageContentItem",
    {
        "type": "Literal['output_text']",
        "text": "str",
        "annotations": "list[OpenAiResponseOutputItemMessageContentItemAnnotation]",
        "logprobs": "list[Any]",
    },
)


OpenAiResponseOutputItemMessage = TypedDict(
    "OpenAiResponseOutputItemMessage",
    {
        "id": "str",
        "type": "Literal['message']",
        "status": "Literal['in_progress'] | Literal['completed'] | Literal['incomplete']",
        "role": "Literal['assistant']",
        "content": "list[OpenAiResponseOutputItemMessageContentItem]",
    },
)


OpenAiResponseOutputItemFunctionCall = TypedDict(
    "OpenAiResponseOutputItemFunctionCall",
    {
        "id": "str",
        "type": "Literal['function_call']",
        "status": "Literal['in_progress'] | Literal['completed']",
        "call_id": "str",
        "name": "str",
        "arguments": "str",
    },
)


class OpenAiResponseUsageInputTokensDetails(TypedDict):
    cached_tokens: Literal[0]


class OpenAiResponseUsageOutputTokensDetails(TypedDict):
    reasoning_tokens: Literal[0]


class OpenAiResponseUsage(TypedDict):
    input_tokens: int
    input_tokens_details: OpenAiResponseUsageInputTokensDetails
    output_tokens: int
    output_tokens_details: OpenAiResponseUsageOutputTokensDetails
    total_tokens: int


class OpenAiResponse(TypedDict):
    id: str
    object: Literal["response"]
    created_at: int
    status: Literal["in_progress"] | Literal["completed"] | Literal["incomplete"] | Literal["failed"]
    error: OpenAiResponseError | None
    incomplete_details: OpenAiResponseIncompleteDetails | None
    instructions: str | None
    metadata: dict[str, Any]
    model: str
    output: list[OpenAiResponseOutputItemReasoning | OpenAiResponseOutputItemMessage | OpenAiResponseOutputItemFunctionCall]
    parallel_tool_calls: Literal[True]
    previous_response_id: None
    temperature: float | None
    tool_choice: Any
    tools: list[Any]
    top_p: None
    usage: OpenAiResponseUsage | None


class RecordedChat(TypedDict):
    id: int
    workspaceId: int
    prompt: str
    response: str
    include: bool
    user_id: int | None
    thread_id: int | None
    api_session_id: str | None
    createdAt: str
    lastUpdatedAt: str
    feedbackScore: bool | None


class Source(TypedDict):
    id: str
    url: str
    title: str
    docAuthor: str
    description: str
    docSource: str
    chunkSource: str
    published: str
    wordCount: int
    token_count_estimate: int
    text: str
    score: NotRequired[float]
    documentId: str
    docpath: str
    page: int | None
    start: int
    end: int
    headingPath: list[str]
    isHidden: NotRequired[Literal[True]]
    asOf: NotRequired[str]
    revision: NotRequired[int]


StreamFrameAbort = TypedDict(
    "StreamFrameAbort",
    {
        "type": "Literal['abort']",
        "uuid": "NotRequired[str]",
        "id": "NotRequired[str]",
        "textResponse": "None",
        "sources": "list[Source]",
        "close": "Literal[True]",
        "error": "str",
    },
)


StreamFrameTextResponse = TypedDict(
    "StreamFrameTextResponse",
    {
        "type": "Literal['textResponse']",
        "uuid": "NotRequired[str]",
        "id": "NotRequired[str]",
        "textResponse": "str",
        "sources": "list[Source]",
        "close": "bool",
        "error": "Literal[False] | str | None",
        "action": "NotRequired[str]",
        "chatId": "NotRequired[int]",
        "attachments": "NotRequired[list[Attachment]]",
    },
)


StreamFrameTextResponseChunk = TypedDict(
    "StreamFrameTextResponseChunk",
    {
        "type": "Literal['textResponseChunk']",
        "uuid": "NotRequired[str]",
        "textResponse": "str",
        "sources": "list[Source]",
        "close": "bool",
        "error": "Literal[False] | None",
        "metrics": "NotRequired[Metrics]",
        "id": "NotRequired[str]",
    },
)


class StreamFrameFinalizeResponseStreamToolCall(TypedDict):
    id: str
    name: str
    input: str


StreamFrameFinalizeResponseStream = TypedDict(
    "StreamFrameFinalizeResponseStream",
    {
        "type": "Literal['finalizeResponseStream']",
        "uuid": "str",
        "close": "Literal[True]",
        "error": "Literal[False]",
        "chatId": "NotRequired[int]",
        "metrics": "Metrics",
        "toolCalls": "NotRequired[list[StreamFrameFinalizeResponseStreamToolCall]]",
        "sources": "list[Source]",
        "thoughts": "NotRequired[list[str]]",
        "outputs": "NotRequired[list[ChatAnswerOutput1 | ChatAnswerOutputRechartVisualize]]",
        "textResponse": "NotRequired[str]",
    },
)


StreamFrameStatusResponse = TypedDict(
    "StreamFrameStatusResponse",
    {
        "type": "Literal['statusResponse']",
        "uuid": "NotRequired[str]",
        "id": "NotRequired[str]",
        "textResponse": "str",
        "sources": "list[Source]",
        "close": "Literal[True]",
        "animate": "bool",
        "error": "None",
    },
)


StreamFrameAgentThought = TypedDict(
    "StreamFrameAgentThought",
    {
        "id": "str",
        "close": "Literal[False]",
        "error": "None",
        "type": "Literal['agentThought']",
        "thought": "str",
        "sources": "list[Source]",
        "attachments": "list[Any]",
        "animate": "Literal[True]",
    },
)


StreamFrameFileDownload = TypedDict(
    "StreamFrameFileDownload",
    {
        "id": "str",
        "close": "Literal[False]",
        "error": "None",
        "type": "Literal['fileDownload']",
        "fileDownload": "ChatAnswerOutput1",
    },
)


StreamFrameUsageMetrics = TypedDict(
    "StreamFrameUsageMetrics",
    {
        "id": "str",
        "close": "Literal[False]",
        "error": "None",
        "type": "Literal['usageMetrics']",
        "metrics": "Metrics",
    },
)


class StreamFrameAgentStepStepFault(TypedDict):
    code: str
    params: NotRequired[dict[str, Any]]


class StreamFrameAgentStepStepProgress(TypedDict):
    done: float
    total: float


class StreamFrameAgentStepStepApprovalDetail(TypedDict):
    label: str
    value: str


class StreamFrameAgentStepStepApproval(TypedDict):
    reason: Literal["untrusted"] | Literal["outside"] | Literal["required"]
    destination: str | None
    details: list[StreamFrameAgentStepStepApprovalDetail]
    expiresAt: str
    decision: Literal["once"] | Literal["run"] | Literal["always"] | Literal["denied"] | Literal["timed-out"] | None
    canBeLasting: bool


class StreamFrameAgentStepStepForm(TypedDict):
    questions: list[HistoryItemAssistantClarifyingQuestionQuestion1 | HistoryItemAssistantClarifyingQuestionQuestion2]
    answers: list[str | list[str] | None] | None
    expiresAt: str


StreamFrameAgentStepStepOutputChart = TypedDict(
    "StreamFrameAgentStepStepOutputChart",
    {
        "type": "Literal['chart']",
        "chart": "Literal['area'] | Literal['bar'] | Literal['line'] | Literal['composed'] | Literal['scatter'] | Literal['pie'] | Literal['radar'] | Literal['radialBar'] | Literal['treemap'] | Literal['funnel']",
        "title": "str",
        "caption": "NotRequired[str]",
        "rows": "list[dict[str, str | float | None]]",
    },
)


StreamFrameAgentStepStepOutputTable = TypedDict(
    "StreamFrameAgentStepStepOutputTable",
    {
        "type": "Literal['table']",
        "title": "str",
        "columns": "list[str]",
        "rows": "list[list[str | float | None]]",
        "total": "int",
    },
)


StreamFrameAgentStepStepOutputFile = TypedDict(
    "StreamFrameAgentStepStepOutputFile",
    {
        "type": "Literal['file']",
        "name": "str",
        "file": "str",
        "mime": "str",
        "size": "int",
    },
)


StreamFrameAgentStepStepOutputSchedule = TypedDict(
    "StreamFrameAgentStepStepOutputSchedule",
    {
        "type": "Literal['schedule']",
        "id": "str",
        "name": "str",
        "schedule": "str",
        "timeZone": "str",
        "nextAt": "str",
    },
)


class StreamFrameAgentStepStep(TypedDict):
    id: int
    at: int
    skill: str
    tool: str
    state: Literal["running"] | Literal["waiting"] | Literal["done"] | Literal["failed"] | Literal["denied"] | Literal["unknown"] | Literal["stopped"]
    object: str | None
    input: str
    result: str | None
    fault: StreamFrameAgentStepStepFault | None
    progress: StreamFrameAgentStepStepProgress | None
    note: NotRequired[str | None]
    milliseconds: int | None
    approval: StreamFrameAgentStepStepApproval | None
    form: StreamFrameAgentStepStepForm | None
    outputs: list[StreamFrameAgentStepStepOutputChart | StreamFrameAgentStepStepOutputTable | StreamFrameAgentStepStepOutputFile | StreamFrameAgentStepStepOutputSchedule]


StreamFrameAgentStep = TypedDict(
    "StreamFrameAgentStep",
    {
        "id": "str",
        "close": "Literal[False]",
        "error": "None",
        "type": "Literal['agentStep']",
        "step": "StreamFrameAgentStepStep",
    },
)


StreamFrame: TypeAlias = "StreamFrameAbort | StreamFrameTextResponse | StreamFrameTextResponseChunk | StreamFrameFinalizeResponseStream | StreamFrameStatusResponse | StreamFrameAgentThought | StreamFrameFileDownload | StreamFrameUsageMetrics | StreamFrameAgentStep"


class Thread(TypedDict):
    id: int
    name: str
    slug: str
    workspace_id: int
    user_id: int | None
    createdAt: str
    lastUpdatedAt: str


class UserAccount(TypedDict):
    id: int
    username: str
    pfpFilename: str | None
    role: Literal["default"] | Literal["manager"] | Literal["admin"]
    suspended: Literal[0] | Literal[1]
    seen_recovery_codes: bool
    createdAt: str
    lastUpdatedAt: str
    dailyMessageLimit: int | None
    bio: str
    email: str | None
    theme: Literal["default"] | Literal["light"] | None
    userLang: str | None
    secondFactor: bool


class WebhookLastDelivery(TypedDict):
    state: Literal["pending"] | Literal["delivered"] | Literal["failed"]
    at: str


class Webhook(TypedDict):
    id: int
    url: str
    description: str
    events: list[Literal["document.ready"] | Literal["document.failed"] | Literal["answer.finished"] | Literal["sync.stopped"]]
    workspaceIds: list[int] | None
    enabled: bool
    createdAt: str
    lastDelivery: WebhookLastDelivery | None


class WebhookDelivery(TypedDict):
    id: str
    event: str
    state: Literal["pending"] | Literal["delivered"] | Literal["failed"]
    attempts: int
    status: int | None
    fault: StreamFrameAgentStepStepFault | None
    reply: str
    milliseconds: int | None
    payload: str
    createdAt: str
    nextAttemptAt: str | None
    finishedAt: str | None


class Widget(TypedDict):
    id: int
    uuid: str
    enabled: bool
    chat_mode: Literal["chat"] | Literal["query"]
    allowlist_domains: str | None
    allow_model_override: bool
    allow_temperature_override: bool
    allow_prompt_override: bool
    max_chats_per_day: int | None
    max_chats_per_session: int | None
    message_limit: int
    workspace_id: int
    createdBy: int | None
    usersId: int | None
    createdAt: str
    name: str | None
    max_chats_per_visitor: int | None
    max_chats_per_address: int | None
    max_message_length: int
    limit_messages: dict[str, str]
    show_sources: bool
    allow_any_origin: bool
    only_signed_visitors: bool
    page_enabled: bool
    has_identity_secret: bool
    greeting: str | None
    suggested_messages: list[str]
    appearance: dict[str, str]


class Workspace(TypedDict):
    id: int
    name: str
    slug: str
    vectorTag: None
    createdAt: str
    openAiTemp: float | None
    openAiHistory: int
    lastUpdatedAt: str
    openAiPrompt: str | None
    similarityThreshold: float
    chatProvider: str | None
    chatModel: str | None
    topN: int
    chatMode: Literal["chat"] | Literal["query"] | Literal["automatic"]
    pfpFilename: str | None
    agentProvider: str | None
    agentModel: str | None
    queryRefusalResponse: str | None
    vectorSearchMode: Literal["default"] | Literal["rerank"]
    router_id: None


class WorkspaceDetailWorkspaceUser(TypedDict):
    user_id: int
    workspace_id: int
    createdAt: str
    lastUpdatedAt: str


class WorkspaceDetailDocument(TypedDict):
    id: int
    docId: str
    filename: str
    docpath: str
    workspaceId: int
    metadata: str
    pinned: bool
    watched: bool
    createdAt: str
    lastUpdatedAt: str


class WorkspaceDetail(TypedDict):
    id: int
    name: str
    slug: str
    vectorTag: None
    createdAt: str
    openAiTemp: float | None
    openAiHistory: int
    lastUpdatedAt: str
    openAiPrompt: str | None
    similarityThreshold: float
    chatProvider: str | None
    chatModel: str | None
    topN: int
    chatMode: Literal["chat"] | Literal["query"] | Literal["automatic"]
    pfpFilename: str | None
    agentProvider: str | None
    agentModel: str | None
    queryRefusalResponse: str | None
    vectorSearchMode: Literal["default"] | Literal["rerank"]
    router_id: None
    workspace_users: NotRequired[list[WorkspaceDetailWorkspaceUser]]
    documents: list[WorkspaceDetailDocument]
    contextWindow: int | None
    currentContextTokenCount: int


class CreateInviteReply(TypedDict):
    invite: Invite | None
    error: str | None


class DisableInviteReply(TypedDict):
    success: bool
    error: str | None


class ListInvitesReply(TypedDict):
    invites: list[Invite]


class IsMultiUserModeReply(TypedDict):
    isMultiUser: bool


class ListUserAccountsReply(TypedDict):
    users: list[UserAccount]


class CreateUserReply(TypedDict):
    user: UserAccount | None
    error: str | None


class ListRecordedChatsReplyChatWorkspace(TypedDict):
    name: str
    slug: str | None


class ListRecordedChatsReplyChatUser(TypedDict):
    username: str


class ListRecordedChatsReplyChat(TypedDict):
    id: int
    workspaceId: int
    prompt: str
    response: str
    include: bool
    user_id: int | None
    thread_id: int | None
    api_session_id: str | None
    createdAt: str
    lastUpdatedAt: str
    feedbackScore: bool | None
    workspace: ListRecordedChatsReplyChatWorkspace
    user: ListRecordedChatsReplyChatUser


class ListRecordedChatsReply(TypedDict):
    chats: list[ListRecordedChatsReplyChat]
    hasPages: bool
    nextCursor: str | None


class ListWorkspaceMembersReplyUser(TypedDict):
    userId: int
    username: str
    role: str
    lastUpdatedAt: str


class ListWorkspaceMembersReply(TypedDict):
    users: list[ListWorkspaceMembersReplyUser]


class AddWorkspaceMembersReply(TypedDict):
    success: bool
    error: str | None
    users: list[ListWorkspaceMembersReplyUser]


class CheckKeyReply(TypedDict):
    authenticated: bool


class ListAcceptedFileTypesReply(TypedDict):
    types: dict[str, list[str]]


class CreateFolderReply(TypedDict):
    success: bool
    message: str | None


class GetMetadataSchemaReply(TypedDict):
    schema: dict[str, str]


MoveDocumentsFile = TypedDict(
    "MoveDocumentsFile",
    {
        "from": "str",
        "to": "str",
    },
)


class AddTextMetadata(TypedDict):
    title: NotRequired[str | None]
    docAuthor: NotRequired[str | None]
    description: NotRequired[str | None]
    docSource: NotRequired[str | None]
    chunkSource: NotRequired[str | None]
    url: NotRequired[str | None]
    published: NotRequired[float | str | None]


class AddTextReply(TypedDict):
    success: bool
    error: str | None
    documents: list[Document]


class RemoveFolderReply(TypedDict):
    success: bool
    message: str


class UploadLinkMetadata(TypedDict):
    title: NotRequired[str | None]
    docAuthor: NotRequired[str | None]
    description: NotRequired[str | None]
    docSource: NotRequired[str | None]
    chunkSource: NotRequired[str | None]


class GetDocumentReply(TypedDict):
    document: LibraryFile


ListDocumentsReply1LocalFilesItem = TypedDict(
    "ListDocumentsReply1LocalFilesItem",
    {
        "name": "str",
        "type": "Literal['folder']",
        "items": "list[LibraryFile]",
    },
)


ListDocumentsReply1LocalFiles = TypedDict(
    "ListDocumentsReply1LocalFiles",
    {
        "name": "Literal['documents']",
        "type": "Literal['folder']",
        "items": "list[ListDocumentsReply1LocalFilesItem]",
    },
)


class ListDocumentsReply1(TypedDict):
    localFiles: ListDocumentsReply1LocalFiles


class ListDocumentsReply2(TypedDict):
    folder: str
    documents: list[LibraryFile]
    totalCount: int
    hasMore: bool
    code: int
    error: str | None


class ListFolderReply(TypedDict):
    folder: str
    documents: list[LibraryFile]
    totalCount: int
    hasMore: bool
    error: str | None


class ListWidgetsReplyEmbedWorkspace(TypedDict):
    id: int
    name: str


class ListWidgetsReplyEmbed(TypedDict):
    id: int
    uuid: str
    enabled: bool
    chat_mode: str
    createdAt: str
    workspace: ListWidgetsReplyEmbedWorkspace
    chat_count: int


class ListWidgetsReply(TypedDict):
    embeds: list[ListWidgetsReplyEmbed]


class CreateWidgetReply(TypedDict):
    embed: Widget | None
    error: str | None


class UpdateWidgetReply(TypedDict):
    success: NotRequired[bool]
    error: NotRequired[str | None]


class ListWidgetChatsReplyChat(TypedDict):
    id: int
    prompt: str
    response: str
    session_id: str
    include: bool
    connection_information: str
    embed_id: int
    usersId: None
    createdAt: str


class ListWidgetChatsReply(TypedDict):
    chats: list[ListWidgetChatsReplyChat]


class CancelFlowRunReply(TypedDict):
    success: bool


class GetFlowRunReplyWorkspace(TypedDict):
    id: int
    name: str
    slug: str


class GetFlowRunReplySource(TypedDict):
    number: int
    title: str
    page: int | None
    url: str | None


class GetFlowRunReplyQuestion(TypedDict):
    path: str
    kind: Literal["approval"] | Literal["request"]
    block: str
    question: str
    details: str
    destination: str | None
    expiresAt: str


GetFlowRunReplyBlock = TypedDict(
    "GetFlowRunReplyBlock",
    {
        "path": "str",
        "id": "str | None",
        "type": "str",
        "title": "str | None",
        "state": "Literal['running'] | Literal['waiting'] | Literal['done'] | Literal['failed'] | Literal['denied'] | Literal['unknown'] | Literal['stopped']",
        "milliseconds": "int | None",
        "result": "str",
        "isCut": "bool",
        "fault": "StreamFrameAgentStepStepFault | None",
    },
)


class GetFlowRunReply(TypedDict):
    id: str
    flowId: str
    name: str
    version: int
    trigger: Literal["manual"] | Literal["rerun"] | Literal["api"] | Literal["webhook"] | Literal["schedule"]
    state: Literal["queued"] | Literal["running"] | Literal["waiting"] | Literal["done"] | Literal["failed"] | Literal["denied"] | Literal["cancelled"]
    owner: InviteClaimedBy | None
    workspace: GetFlowRunReplyWorkspace | None
    fault: StreamFrameAgentStepStepFault | None
    createdAt: str
    startedAt: str | None
    endedAt: str | None
    inputs: dict[str, str]
    output: str | None
    sources: list[GetFlowRunReplySource]
    question: GetFlowRunReplyQuestion | None
    blocks: list[GetFlowRunReplyBlock]
    blockCount: int
    canContinue: bool


class ReadFlowRunResultReply(TypedDict):
    text: str
    next: int | None


class ListFlowsReplyFlowVariable(TypedDict):
    name: str
    value: str
    description: str
    valueType: NotRequired[Literal["text"] | Literal["number"] | Literal["boolean"] | Literal["list"] | Literal["json"]]
    required: NotRequired[bool]


class ListFlowsReplyFlow(TypedDict):
    id: str
    name: str
    description: str
    variables: list[ListFlowsReplyFlowVariable]
    sends: bool
    searches: bool


class ListFlowsReply(TypedDict):
    flows: list[ListFlowsReplyFlow]


class RunFlowReply(TypedDict):
    id: str
    state: Literal["queued"] | Literal["running"] | Literal["waiting"] | Literal["done"] | Literal["failed"] | Literal["denied"] | Literal["cancelled"]
    output: str | None
    fault: StreamFrameAgentStepStepFault | None
    error: str | None


class ReadStepReply(TypedDict):
    input: str
    result: str | None


CreateChatCompletionMessageContentItemText = TypedDict(
    "CreateChatCompletionMessageContentItemText",
    {
        "type": "Literal['text']",
        "text": "str",
    },
)


CreateChatCompletionMessageContentItemRefusal = TypedDict(
    "CreateChatCompletionMessageContentItemRefusal",
    {
        "type": "Literal['refusal']",
        "refusal": "str",
    },
)


class CreateChatCompletionMessageContentItemImageUrlImageUrl(TypedDict):
    url: str


CreateChatCompletionMessageContentItemImageUrl = TypedDict(
    "CreateChatCompletionMessageContentItemImageUrl",
    {
        "type": "Literal['image_url']",
        "image_url": "CreateChatCompletionMessageContentItemImageUrlImageUrl | str",
    },
)


class CreateChatCompletionMessageToolCall(TypedDict):
    id: NotRequired[str | None]
    function: ChatCompletionChoiceMessageToolCallFunction


class CreateChatCompletionMessage(TypedDict):
    role: Literal["system"] | Literal["developer"] | Literal["user"] | Literal["assistant"] | Literal["tool"] | Literal["function"]
    content: NotRequired[str | list[CreateChatCompletionMessageContentItemText | CreateChatCompletionMessageContentItemRefusal | CreateChatCompletionMessageContentItemImageUrl] | None]
    tool_calls: NotRequired[list[CreateChatCompletionMessageToolCall] | None]
    tool_call_id: NotRequired[str | None]


class CreateChatCompletionToolFunction(TypedDict):
    name: str
    description: NotRequired[str | None]
    parameters: NotRequired[dict[str, Any] | None]


CreateChatCompletionTool = TypedDict(
    "CreateChatCompletionTool",
    {
        "type": "Literal['function']",
        "function": "CreateChatCompletionToolFunction",
    },
)


class CreateChatCompletionToolChoiceFunction(TypedDict):
    name: str


CreateChatCompletionToolChoice = TypedDict(
    "CreateChatCompletionToolChoice",
    {
        "type": "Literal['function']",
        "function": "CreateChatCompletionToolChoiceFunction",
    },
)


CreateChatCompletionResponseFormat1 = TypedDict(
    "CreateChatCompletionResponseFormat1",
    {
        "type": "Literal['text'] | Literal['json_object']",
    },
)


class CreateChatCompletionResponseFormatJsonSchemaJsonSchema(TypedDict):
    name: str
    schema: dict[str, Any]


CreateChatCompletionResponseFormatJsonSchema = TypedDict(
    "CreateChatCompletionResponseFormatJsonSchema",
    {
        "type": "Literal['json_schema']",
        "json_schema": "CreateChatCompletionResponseFormatJsonSchemaJsonSchema",
    },
)


class CreateChatCompletionStreamOptions(TypedDict):
    include_usage: NotRequired[bool | None]


class CreateEmbeddingsReplyDataItem(TypedDict):
    object: Literal["embedding"]
    embedding: list[float] | str
    index: int


class CreateEmbeddingsReplyUsage(TypedDict):
    prompt_tokens: int
    total_tokens: int


class CreateEmbeddingsReply(TypedDict):
    object: Literal["list"]
    data: list[CreateEmbeddingsReplyDataItem]
    model: str
    usage: CreateEmbeddingsReplyUsage


class ListModelsReplyDataItem(TypedDict):
    id: str
    object: Literal["model"]
    created: int
    owned_by: str


class ListModelsReply(TypedDict):
    object: Literal["list"]
    data: list[ListModelsReplyDataItem]


CreateResponseInputItemMessageContentItem1 = TypedDict(
    "CreateResponseInputItemMessageContentItem1",
    {
        "type": "Literal['input_text'] | Literal['output_text'] | Literal['text']",
        "text": "str",
    },
)


CreateResponseInputItemMessageContentItemInputImage = TypedDict(
    "CreateResponseInputItemMessageContentItemInputImage",
    {
        "type": "Literal['input_image']",
        "image_url": "str",
    },
)


CreateResponseInputItemMessage = TypedDict(
    "CreateResponseInputItemMessage",
    {
        "type": "NotRequired[Literal['message']]",
        "role": "Literal['system'] | Literal['developer'] | Literal['user'] | Literal['assistant']",
        "content": "str | list[CreateResponseInputItemMessageContentItem1 | CreateChatCompletionMessageContentItemRefusal | CreateResponseInputItemMessageContentItemInputImage]",
    },
)


CreateResponseInputItemFunctionCall = TypedDict(
    "CreateResponseInputItemFunctionCall",
    {
        "type": "Literal['function_call']",
        "call_id": "str",
        "name": "str",
        "arguments": "str",
    },
)


CreateResponseInputItemFunctionCallOutput = TypedDict(
    "CreateResponseInputItemFunctionCallOutput",
    {
        "type": "Literal['function_call_output']",
        "call_id": "str",
        "output": "str | list[CreateResponseInputItemMessageContentItem1 | CreateChatCompletionMessageContentItemRefusal | CreateResponseInputItemMessageContentItemInputImage]",
    },
)


CreateResponseInputItemReasoning = TypedDict(
    "CreateResponseInputItemReasoning",
    {
        "type": "Literal['reasoning']",
    },
)


CreateResponseTool = TypedDict(
    "CreateResponseTool",
    {
        "name": "str",
        "description": "NotRequired[str | None]",
        "parameters": "NotRequired[dict[str, Any] | None]",
        "type": "Literal['function']",
    },
)


CreateResponseToolChoice = TypedDict(
    "CreateResponseToolChoice",
    {
        "type": "Literal['function']",
        "name": "str",
    },
)


CreateResponseTextFormatJsonSchema = TypedDict(
    "CreateResponseTextFormatJsonSchema",
    {
        "name": "str",
        "schema": "dict[str, Any]",
        "type": "Literal['json_schema']",
    },
)


class CreateResponseText(TypedDict):
    format: NotRequired[CreateChatCompletionResponseFormat1 | CreateResponseTextFormatJsonSchema | None]


class ListVectorStoresReplyDataItemFileCounts(TypedDict):
    total: int


class ListVectorStoresReplyDataItem(TypedDict):
    id: str
    object: Literal["vector_store"]
    name: str
    file_counts: ListVectorStoresReplyDataItemFileCounts
    provider: str


class ListVectorStoresReply(TypedDict):
    data: list[ListVectorStoresReplyDataItem]
    first_id: NotRequired[str]
    last_id: NotRequired[str]
    has_more: Literal[False]


class ListSchedulesReplyScheduleWork1(TypedDict):
    kind: Literal["prompt"]
    promptStart: str


class ListSchedulesReplyScheduleWork2(TypedDict):
    kind: Literal["agent"]
    promptStart: str


class ListSchedulesReplyScheduleWork3(TypedDict):
    kind: Literal["flow"]
    flowId: str


class ListSchedulesReplyScheduleTiming1(TypedDict):
    kind: Literal["cron"]
    cron: str
    timeZone: str


class ListSchedulesReplyScheduleTiming2(TypedDict):
    kind: Literal["once"]
    at: str
    timeZone: str


class ListSchedulesReplyScheduleDelivery(TypedDict):
    thread: Literal["new"] | Literal["same"] | Literal["none"]
    webhook: str | None
    onlyWhenChanged: bool


class ListSchedulesReplyScheduleLastRun(TypedDict):
    id: str
    state: Literal["due"] | Literal["running"] | Literal["done"] | Literal["unchanged"] | Literal["failed"] | Literal["cancelled"] | Literal["skipped"]
    dueAt: str
    endedAt: str | None
    threadSlug: str | None
    deniedCount: int


class ListSchedulesReplySchedule(TypedDict):
    id: str
    name: str
    ownerId: int | None
    workspaceId: int
    workspaceSlug: str | None
    work: ListSchedulesReplyScheduleWork1 | ListSchedulesReplyScheduleWork2 | ListSchedulesReplyScheduleWork3
    timing: ListSchedulesReplyScheduleTiming1 | ListSchedulesReplyScheduleTiming2
    missed: Literal["once"] | Literal["skip"]
    delivery: ListSchedulesReplyScheduleDelivery
    isWebhookUnreadable: bool
    active: bool
    pausedReason: StreamFrameAgentStepStepFault | None
    nextAt: str | None
    failures: int
    createdAt: str
    updatedAt: str
    byAgent: bool
    lastRun: ListSchedulesReplyScheduleLastRun | None


class ListSchedulesReply(TypedDict):
    schedules: list[ListSchedulesReplySchedule]
    nextCursor: str | None
    total: int
    enabled: bool
    limit: int
    used: int
    defaultLimit: int
    minimumSeconds: int


class DeleteScheduleReply(TypedDict):
    success: Literal[True]


class GetScheduleReplyScheduleWork1Model(TypedDict):
    provider: str
    model: str | None


class GetScheduleReplyScheduleWork1(TypedDict):
    kind: Literal["prompt"]
    prompt: str
    mode: Literal["chat"] | Literal["query"] | Literal["automatic"] | None
    model: GetScheduleReplyScheduleWork1Model | None


class GetScheduleReplyScheduleWork2(TypedDict):
    kind: Literal["agent"]
    prompt: str
    model: GetScheduleReplyScheduleWork1Model | None


class GetScheduleReplyScheduleWork3(TypedDict):
    kind: Literal["flow"]
    flowId: Any
    inputs: dict[str, str]


class GetScheduleReplyScheduleApproval(TypedDict):
    tool: str
    destination: str | None


class GetScheduleReplySchedule(TypedDict):
    id: str
    name: str
    ownerId: int | None
    workspaceId: int
    workspaceSlug: str | None
    work: GetScheduleReplyScheduleWork1 | GetScheduleReplyScheduleWork2 | GetScheduleReplyScheduleWork3
    timing: ListSchedulesReplyScheduleTiming1 | ListSchedulesReplyScheduleTiming2
    missed: Literal["once"] | Literal["skip"]
    delivery: ListSchedulesReplyScheduleDelivery
    isWebhookUnreadable: bool
    approvals: list[GetScheduleReplyScheduleApproval]
    active: bool
    pausedReason: StreamFrameAgentStepStepFault | None
    nextAt: str | None
    failures: int
    createdAt: str
    updatedAt: str
    byAgent: bool
    lastRun: ListSchedulesReplyScheduleLastRun | None


class GetScheduleReply(TypedDict):
    schedule: GetScheduleReplySchedule


class RunScheduleReply(TypedDict):
    runId: str


class GetSettingsReply(TypedDict):
    settings: dict[str, Any]


class UpdateSettingsReply(TypedDict):
    newValues: dict[str, Any]
    error: Literal[False] | str


class CountVectorsReply(TypedDict):
    vectorCount: int


class ListUsersReplyUser(TypedDict):
    id: int
    username: str
    role: str


class ListUsersReply(TypedDict):
    users: list[ListUsersReplyUser]


class IssueSignInTokenReply(TypedDict):
    token: str
    loginPath: str


class CreateWebhookReply(TypedDict):
    webhook: Webhook
    secret: str


class ListWebhooksReply(TypedDict):
    webhooks: list[Webhook]


class UpdateWebhookReply(TypedDict):
    webhook: Webhook


class ListWebhookDeliveriesReply(TypedDict):
    deliveries: list[WebhookDelivery]
    nextCursor: str | None


class RotateWebhookSecretReply(TypedDict):
    secret: str


class TestWebhookReply(TypedDict):
    deliveryId: str


class CreateWorkspaceReply(TypedDict):
    workspace: Workspace | None
    message: str | None


class GetWorkspaceReplyWorkspaceItemThread(TypedDict):
    user_id: int | None
    slug: str


class GetWorkspaceReplyWorkspaceItem(TypedDict):
    id: int
    name: str
    slug: str
    vectorTag: None
    createdAt: str
    openAiTemp: float | None
    openAiHistory: int
    lastUpdatedAt: str
    openAiPrompt: str | None
    similarityThreshold: float
    chatProvider: str | None
    chatModel: str | None
    topN: int
    chatMode: Literal["chat"] | Literal["query"] | Literal["automatic"]
    pfpFilename: str | None
    agentProvider: str | None
    agentModel: str | None
    queryRefusalResponse: str | None
    vectorSearchMode: Literal["default"] | Literal["rerank"]
    router_id: None
    workspace_users: NotRequired[list[WorkspaceDetailWorkspaceUser]]
    documents: list[WorkspaceDetailDocument]
    contextWindow: int | None
    currentContextTokenCount: int
    threads: list[GetWorkspaceReplyWorkspaceItemThread]


class GetWorkspaceReply(TypedDict):
    workspace: list[GetWorkspaceReplyWorkspaceItem]


class ChatAttachment(TypedDict):
    name: NotRequired[str]
    mime: str
    contentString: str


class ListChatsReply(TypedDict):
    history: list[HistoryItem]


class CreateScheduleWork1(TypedDict):
    kind: Literal["prompt"]
    prompt: str
    mode: NotRequired[Literal["chat"] | Literal["query"] | Literal["automatic"] | None]
    model: NotRequired[GetScheduleReplyScheduleWork1Model | None]


class CreateScheduleWork2(TypedDict):
    kind: Literal["agent"]
    prompt: str
    model: NotRequired[GetScheduleReplyScheduleWork1Model | None]


class CreateScheduleWork3(TypedDict):
    kind: Literal["flow"]
    flowId: str
    inputs: NotRequired[dict[str, str]]


class CreateScheduleDelivery(TypedDict):
    thread: NotRequired[Literal["new"] | Literal["same"] | Literal["none"]]
    webhook: NotRequired[str | None]
    onlyWhenChanged: NotRequired[bool]


class CreateScheduleReply(TypedDict):
    schedule: GetScheduleReplySchedule
    secret: str | None


class CreateThreadReply(TypedDict):
    thread: Thread | None
    message: str | None


class UpdateThreadReply(TypedDict):
    thread: Thread
    message: str | None


class UpdateWorkspaceReplyWorkspace(TypedDict):
    id: int


class UpdateWorkspaceReply(TypedDict):
    workspace: Workspace | UpdateWorkspaceReplyWorkspace
    message: str | None


class UpdateWorkspaceDocumentsReply(TypedDict):
    workspace: WorkspaceDetail | None


class PinDocumentReply(TypedDict):
    message: str


class SearchWorkspaceFilterPlaces(TypedDict):
    documentIds: NotRequired[list[str]]
    folders: NotRequired[list[str]]


class SearchWorkspaceFilter(TypedDict):
    folders: NotRequired[list[str]]
    types: NotRequired[list[str]]
    tags: NotRequired[list[str]]
    documentIds: NotRequired[list[str]]
    places: NotRequired[SearchWorkspaceFilterPlaces]
    addedFrom: NotRequired[str]
    addedUntil: NotRequired[str]


class SearchWorkspaceReplyResultMetadata(TypedDict):
    url: str
    title: str
    author: str
    description: str
    docSource: str
    chunkSource: str
    published: str
    wordCount: int
    tokenCount: int


class SearchWorkspaceReplyResult(TypedDict):
    id: str
    text: str
    metadata: SearchWorkspaceReplyResultMetadata
    distance: float
    score: float


class SearchWorkspaceReply(TypedDict):
    results: list[SearchWorkspaceReplyResult]
    message: NotRequired[str]


class ListWorkspacesReplyWorkspaceThread(TypedDict):
    user_id: int | None
    slug: str
    name: str


class ListWorkspacesReplyWorkspace(TypedDict):
    id: int
    name: str
    slug: str
    vectorTag: None
    createdAt: str
    openAiTemp: float | None
    openAiHistory: int
    lastUpdatedAt: str
    openAiPrompt: str | None
    similarityThreshold: float
    chatProvider: str | None
    chatModel: str | None
    topN: int
    chatMode: Literal["chat"] | Literal["query"] | Literal["automatic"]
    pfpFilename: str | None
    agentProvider: str | None
    agentModel: str | None
    queryRefusalResponse: str | None
    vectorSearchMode: Literal["default"] | Literal["rerank"]
    router_id: None
    threads: list[ListWorkspacesReplyWorkspaceThread]


class ListWorkspacesReply(TypedDict):
    workspaces: list[ListWorkspacesReplyWorkspace]
