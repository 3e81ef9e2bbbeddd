import type { ErrorDefinition } from "./error-definition.ts";

/** What keeps an agent's tool from being called, and what goes wrong with it. */
export const toolErrors = {
  "tool.failed": { kind: "INTERNAL", message: "The tool failed." },
  "tool.unknown": {
    kind: "NOT_FOUND",
    message: "The model called a tool that doesn't exist: {{tool}}.",
  },
  "tool.input-malformed": {
    kind: "BAD_INPUT",
    message: "The model called the tool with malformed JSON.",
  },
  "tool.input-invalid": {
    kind: "BAD_INPUT",
    message: "The model called {{tool}} with invalid input.",
  },
  "tool.repeated": {
    kind: "REFUSED",
    message: "The model made the same call again, so it was skipped.",
  },
  "tool.timed-out": { kind: "TIMEOUT", message: "The call took too long and was stopped." },
  "tool.outcome-unknown": {
    kind: "SERVICE_LOST",
    message:
      "Carrel was interrupted during this call, so it may or may not have had an effect. Check before you try again.",
  },
  "tool.forbidden": { kind: "FORBIDDEN", message: "An admin doesn't allow this tool." },
  "tool.denied": { kind: "REFUSED", message: "You denied this call." },
  "tool.approval-timed-out": {
    kind: "TIMEOUT",
    message: "The approval timed out, so this call wasn't made.",
  },
  "tool.file-missing": { kind: "NOT_FOUND", message: "File not found." },
  "tool.needs-approval": {
    kind: "REFUSED",
    message: "This call needs an approval, which can't be given here, so it wasn't made.",
  },
} as const satisfies Record<string, ErrorDefinition>;
