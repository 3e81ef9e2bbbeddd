import type { ErrorDefinition } from "./error-definition.ts";

/** Faults of budgets, including questions refused because of one. */
export const budgetErrors = {
  "budget.day-used": {
    kind: "REFUSED",
    message: "Today's budget is used up. Try again tomorrow, or ask an admin to raise it.",
  },
  "budget.month-used": {
    kind: "REFUSED",
    message: "This month's budget is used up. Ask an admin to raise it.",
  },
  "budget.subject-missing": {
    kind: "BAD_INPUT",
    message: "Name the workspace, user or API key that the budget is for.",
  },
  "budget.level-missing": {
    kind: "BAD_INPUT",
    message: "Set a warning level, a limit or both.",
  },
  "budget.level-order": {
    kind: "BAD_INPUT",
    message: "The warning level must be below the limit.",
  },
  "budget.exists": { kind: "CONFLICT", message: "A budget like this already exists." },
  "budget.not-found": { kind: "NOT_FOUND", message: "This budget doesn't exist." },
} as const satisfies Record<string, ErrorDefinition>;

/** Faults of share links. */
export const shareErrors = {
  /**
   * Missing, revoked, expired and disabled links, and links for someone else, all look the same.
   */
  "share.not-found": { kind: "NOT_FOUND", message: "This link doesn't exist or no longer works." },
  "share.empty": {
    kind: "BAD_INPUT",
    message: "There's nothing to share yet. Ask a question first.",
  },
  "share.disabled": {
    kind: "DISABLED",
    message: "An admin has disabled sharing.",
  },
  "share.team-only": {
    kind: "DISABLED",
    message: "An admin has limited links to signed-in users.",
  },
} as const satisfies Record<string, ErrorDefinition>;

/** Why an answer failed, and notices shown along with one. */
export const generationErrors = {
  "generation.not-found": { kind: "GENERATION_NOT_FOUND", message: "This answer doesn't exist." },
  "generation.empty": {
    kind: "PROVIDER_FAILED",
    message: "{{provider}} returned an empty answer.",
  },
  "generation.filtered": {
    kind: "PROVIDER_FAILED",
    message: "{{provider}}'s content filter blocked the answer. Rephrase the question.",
  },
  "generation.only-tool-calls": {
    kind: "PROVIDER_FAILED",
    message:
      "{{provider}} called {{tools}} instead of answering, but this chat has no such tool. Try again or choose another model.",
  },
  "generation.stopped-short": {
    kind: "PROVIDER_FAILED",
    message: "{{provider}} stopped before it wrote an answer. Try again.",
  },
  "generation.too-long": {
    kind: "TOO_LARGE",
    message: "The answer exceeded {{megabytes}} MB and was stopped. The text so far was kept.",
  },
  "generation.shut-down": {
    kind: "UNAVAILABLE",
    message: "Carrel was shut down while this was being answered. The text so far was kept.",
  },
  "generation.writer-lost": {
    kind: "SERVICE_LOST",
    message:
      "The answer was interrupted because the process writing it stopped. The text so far was kept.",
  },
  "generation.not-saved": {
    kind: "UNAVAILABLE",
    message:
      "The server ran out of disk space while it was saving this answer, so part of it may get lost. Its administrator has to free some.",
  },
  "generation.given-up": {
    kind: "SERVICE_LOST",
    message: "The server stopped {{runs}} times before it could start this answer. Try again.",
  },
  "generation.conversation-deleted": {
    kind: "CONFLICT",
    message: "The conversation was deleted while this was being answered.",
  },
  "generation.connection-lost": {
    kind: "SERVICE_LOST",
    message: "The connection was lost. The answer is kept: reload the page.",
  },
  "generation.unfinished": { kind: "INTERNAL", message: "The answer couldn't be finished." },
  "generation.failed": {
    kind: "INTERNAL",
    message:
      "Something went wrong on the server while this was being answered. Its log has the details.",
  },
  "generation.daily-limit": {
    kind: "REFUSED",
    message: "You have met your maximum 24 hour chat quota of {{limit}} chats. Try again later.",
  },
  "agent-session.not-found": {
    kind: "NOT_FOUND",
    message: "This agent session doesn't exist. Send the message again.",
  },
  "agent-session.closed": {
    kind: "CONFLICT",
    message: "This agent invocation is already closed",
  },
  "agent-session.in-use": {
    kind: "CONFLICT",
    message: "This agent session is open in another window.",
  },
  "agent-session.access-changed": {
    kind: "UNAUTHENTICATED",
    message: "Your access has changed, so this agent session was ended. Sign in again.",
  },
  "agent-session.file-not-sent": {
    kind: "UNSUPPORTED",
    message: "If {{file}} isn't offered for download here, open this conversation in Carrel.",
  },
  "agent-session.without-images": {
    kind: "UNSUPPORTED",
    message: "Images can't be generated here.",
  },
  "notice.conversation-reset": { kind: "REFUSED", message: "Chat memory was reset!" },
  "notice.history-reset": { kind: "REFUSED", message: "Chat history was reset!" },
  "notice.agent-unavailable": {
    kind: "UNSUPPORTED",
    message: "@agent could not be called. Chat will be handled as default chat.",
  },
  "notice.agent-without-model": {
    kind: "UNSUPPORTED",
    message:
      "Agents need a language model, and this workspace has none, so the question was answered from the documents.",
  },
  "notice.tool-limit": {
    kind: "REFUSED",
    message: "The limit of {{limit}} tool calls was reached, so the answer may be incomplete.",
  },
  "notice.time-limit": {
    kind: "REFUSED",
    message:
      "The limit of {{minutes}} minutes for calling tools was reached, so the answer may be incomplete.",
  },
  "notice.agent-without-answer": {
    kind: "REFUSED",
    message: "The model stopped after its last step without writing an answer. Ask again to go on.",
  },
  "notice.text-search-only": {
    kind: "UNAVAILABLE",
    message: "{{store}} isn't available, so this answer is based on full-text search only.",
  },
  "notice.embedder-unreachable": {
    kind: "UNAVAILABLE",
    message: "The embedder isn't available, so this answer is based on full-text search only.",
  },
  "notice.stored-text-search": {
    kind: "UNAVAILABLE",
    message: "{{store}} isn't available, so this answer is based on a simpler search of the text.",
  },
  "notice.index-rebuilding": {
    kind: "UNAVAILABLE",
    message:
      "The search index is being rebuilt, so this answer is based on a simpler search of the text and may be incomplete.",
  },
  "notice.documents-late": {
    kind: "UNAVAILABLE",
    message:
      "Searching the documents takes longer than usual. The answer will continue as soon as the search responds.",
  },
  "notice.documents-unreachable": {
    kind: "UNAVAILABLE",
    message: "Documents can't be reached at the moment, so this answer doesn't use any.",
  },
  "notice.documents-wait": {
    kind: "UNAVAILABLE",
    message:
      "{{store}} isn't available, so the documents of this workspace can't be searched yet. They will be added automatically once it's back.",
  },
  "notice.attachments-unsupported": {
    kind: "UNSUPPORTED",
    message:
      "Models can only see PNG, JPEG, GIF and WebP images, so these attachments were left out: {{names}}",
  },
  "notice.model-withdrawn": {
    kind: "UNSUPPORTED",
    message: "{{model}} can no longer be chosen, so the workspace's model answered.",
  },
  "notice.model-fallback": {
    kind: "UNAVAILABLE",
    message: "{{unavailable}} couldn't answer, so {{model}} did.",
  },
  "notice.images-not-seen": {
    kind: "UNSUPPORTED",
    message: "{{model}} can't see images, so the question is answered without them.",
  },
  "notice.images-not-quoted": {
    kind: "UNSUPPORTED",
    message:
      "The built-in answerer can't see images, so the question is answered without them. Set up a language model that can.",
  },
  "notice.sources-cut": {
    kind: "REFUSED",
    message:
      "The context window of {{model}} has room for only part of the sources, so this answer may be incomplete.",
  },
  "notice.answer-cut": {
    kind: "REFUSED",
    message:
      "The answer was cut off at the model's length limit. Write “Continue” to get the rest.",
  },
  "notice.answer-filtered": {
    kind: "REFUSED",
    message: "The provider's content filter cut this answer off.",
  },
  "notice.answer-unfinished": {
    kind: "REFUSED",
    message: "The model stopped before this answer was finished. Write “Continue” to get the rest.",
  },
  "notice.summary-partial": {
    kind: "REFUSED",
    message:
      "This summary covers {{covered}} of {{total}} documents. To summarize another one, ask for it by name.",
  },
} as const satisfies Record<string, ErrorDefinition>;

/** Faults of recordings that people dictate. */
export const dictationErrors = {
  "dictation.audio-missing": { kind: "BAD_INPUT", message: "No audio file provided." },
  "dictation.not-audio": { kind: "UNSUPPORTED", message: "The file must be a recording." },
  "dictation.too-large": {
    kind: "TOO_LARGE",
    message: "The recording is larger than {{megabytes}} MB.",
  },
  "dictation.broken": {
    kind: "BAD_INPUT",
    message: "The recording didn't arrive completely.",
  },
  "dictation.busy": {
    kind: "BUSY",
    message: "Too many people are dictating. Try again in a moment.",
  },
  "dictation.in-browser": {
    kind: "DISABLED",
    message:
      "Dictation runs in the browser on this instance. To use the server, choose a dictation provider in the settings.",
  },
} as const satisfies Record<string, ErrorDefinition>;

/** Faults of threads, turns and memories. */
export const chatErrors = {
  "thread.not-found": { kind: "THREAD_NOT_FOUND", message: "Workspace thread does not exist." },
  "thread.too-long-to-export": {
    kind: "TOO_LARGE",
    message: "This thread is too long for one file.",
  },
  "thread.nothing-to-update": { kind: "BAD_INPUT", message: "No valid fields to update!" },
  "thread.slug-taken": { kind: "REFUSED", message: "There already is a thread {{slug}}." },
  "turn.not-found": { kind: "NOT_FOUND", message: "Chat not found." },
  "turn.id-missing": { kind: "BAD_INPUT", message: "chatId is required" },
  "turn.replaced-not-found": {
    kind: "NOT_FOUND",
    message: "The message to replace no longer exists.",
  },
  "turn.step-not-found": {
    kind: "NOT_FOUND",
    message: "The step to retry from no longer exists.",
  },
  "turn.text-empty": { kind: "BAD_INPUT", message: "The new text is empty." },
  "turn.question-too-long": {
    kind: "BAD_INPUT",
    message:
      "The question is too long. The limit is {{kilobytes}} kB. Put longer texts in a document.",
  },
  "turn.being-written": {
    kind: "CONFLICT",
    message: "This answer is still being written. Stop it, or wait until it's done.",
  },
  "chat.message-empty": { kind: "BAD_INPUT", message: "Message is empty." },
  "chat.mode-invalid": { kind: "BAD_INPUT", message: "{{mode}} is not a valid mode." },
  "chat.message-too-long": {
    kind: "TOO_LARGE",
    message:
      "The message is too long. The limit is {{kilobytes}} kB. Put longer texts in a document.",
  },
  "chat.images-too-large": {
    kind: "TOO_LARGE",
    message: "The images are too large. The limit is {{megabytes}} MB in total.",
  },
  "chat.question-missing": { kind: "BAD_INPUT", message: "A question is required." },
  "chat.nothing-to-export": { kind: "BAD_INPUT", message: "There are no chats to export." },
  "chat.export-pdf": {
    kind: "BAD_INPUT",
    message: "PDF export isn't available. Export as html and print it to a PDF.",
  },
  "chat.export-type-unknown": {
    kind: "BAD_INPUT",
    message: "The type must be markdown, plaintext, json or html.",
  },
  "memory.not-found": { kind: "NOT_FOUND", message: "Memory not found." },
  "memory.disabled": { kind: "DISABLED", message: "Personalization is disabled." },
  "memory.of-other-workspace": {
    kind: "CONFLICT",
    message: "This memory belongs to another workspace. Make it global first.",
  },
  "memory.global-full": {
    kind: "CONFLICT",
    message: "At most {{limit}} global memories can be kept. Delete one first.",
  },
  "memory.workspace-full": {
    kind: "CONFLICT",
    message: "At most {{limit}} memories can be kept in a workspace. Delete one first.",
  },
} as const satisfies Record<string, ErrorDefinition>;
