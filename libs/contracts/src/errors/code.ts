import type { ErrorDefinition } from "./error-definition.ts";

/** Faults of programs that agents run (code interpreter). */
export const codeErrors = {
  "code.failed": { kind: "REFUSED", message: "The program failed: {{details}}" },
  "code.timed-out": {
    kind: "TIMEOUT",
    message: "The program was stopped after {{seconds}} seconds.",
    isRetryable: false,
  },
  "code.out-of-memory": {
    kind: "REFUSED",
    message: "The program needed more than {{megabytes}} MB of memory.",
  },
  "code.crashed": { kind: "REFUSED", message: "The program ended without a result." },
  "code.input-too-large": {
    kind: "TOO_LARGE",
    message: "A program can read at most {{megabytes}} MB of documents.",
  },
  "code.file-missing": { kind: "NOT_FOUND", message: "No document is called {{name}}." },
  "code.busy": { kind: "BUSY", message: "Too many programs are waiting. Try again later." },
} as const satisfies Record<string, ErrorDefinition>;
