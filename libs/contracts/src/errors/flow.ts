import type { ErrorDefinition } from "./error-definition.ts";

/** Faults of agent flows (docs/decisions/flows.md); `block` is a block's title or type. */
export const flowErrors = {
  "flow.not-found": { kind: "NOT_FOUND", message: "This flow doesn't exist." },
  "flow.version-not-found": { kind: "NOT_FOUND", message: "This version doesn't exist." },
  "flow.changed": {
    kind: "CONFLICT",
    message: "This flow was changed in the meantime. Load it again before you save it.",
  },
  "flow.too-many": {
    kind: "CONFLICT",
    message: "There can be at most {{limit}} flows. Delete one first.",
  },
  "flow.too-many-steps": {
    kind: "REFUSED",
    message: "A flow can have at most {{limit}} blocks.",
  },
  "flow.too-deep": {
    kind: "REFUSED",
    message: "Blocks can be nested at most {{limit}} levels deep.",
  },
  "flow.too-large": {
    kind: "REFUSED",
    message: "A flow can have at most {{kilobytes}} kB.",
  },
  "flow.steps-missing": { kind: "REFUSED", message: "The flow's config has no steps." },
  "flow.block-unsupported": {
    kind: "REFUSED",
    message: "This builder can't save blocks of type {{type}}.",
  },
  "flow.block-invalid": {
    kind: "REFUSED",
    message: "Block {{number}} ({{type}}) is invalid: {{field}}.",
  },
  "flow.needs-own-builder": {
    kind: "REFUSED",
    message:
      "This flow has blocks that only Carrel's builder can save, so it was left as it is. Edit it there.",
  },
  "flow.name-invalid": {
    kind: "REFUSED",
    message: "A flow's name must have 1 to {{limit}} characters.",
  },
  "flow.description-too-long": {
    kind: "REFUSED",
    message: "A flow's description can have at most {{limit}} characters.",
  },
  "flow.id-invalid": { kind: "REFUSED", message: "A flow's uuid must be a UUID." },
  "flow.proof-due": {
    kind: "REFUSED",
    message:
      "This flow would send data to new addresses. Sign in again, then save it within 10 minutes.",
  },
  "flow.step-not-found": {
    kind: "NOT_FOUND",
    message: "The block to start from isn't in this flow.",
  },
  "flow.block-failed": { kind: "REFUSED", message: "{{block}} failed: {{reason}}" },
  "flow.timed-out": {
    kind: "TIMEOUT",
    message: "The flow took longer than {{minutes}} minutes and was stopped.",
    isRetryable: false,
  },
  "flow.variables-too-large": {
    kind: "TOO_LARGE",
    message: "{{block}} returned too much: a flow's variables can have at most {{megabytes}} MB.",
  },
  "flow.nested-too-deep": {
    kind: "REFUSED",
    message: "{{block}} wasn't run: flows can run each other at most {{limit}} levels deep.",
  },
  "flow.too-many-rounds": {
    kind: "REFUSED",
    message: "{{block}} was stopped: a run can have at most {{limit}} blocks in all rounds.",
  },
  "flow.list-missing": {
    kind: "REFUSED",
    message: "{{block}} needs a list, but got something else.",
  },
  "flow.address-invalid": {
    kind: "REFUSED",
    message: "{{block}} needs an address with http or https, but got {{address}}.",
  },
  "flow.denied": { kind: "REFUSED", message: "{{block}} wasn't approved, so the flow ended." },
  "flow.workspace-missing": {
    kind: "REFUSED",
    message: "{{block}} searches a workspace. Test the flow in one.",
  },
  "flow.model-missing": {
    kind: "REFUSED",
    message: "{{block}} needs a language model. Choose one in Settings > LLM.",
  },
} as const satisfies Record<string, ErrorDefinition>;
