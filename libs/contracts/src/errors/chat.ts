import type { ErrorDefinition } from "./error-definition.ts";

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
