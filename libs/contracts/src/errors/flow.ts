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
  "flow-text.too-large": {
    kind: "TOO_LARGE",
    message: "A text would have more than {{megabytes}} MB with the values of its variables.",
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
  "flow.input-missing": { kind: "REFUSED", message: "{{name}} needs a value." },
  "flow.input-not-number": { kind: "REFUSED", message: "{{name}} must be a number." },
  "flow.input-not-boolean": { kind: "REFUSED", message: "{{name}} must be true or false." },
  "flow.input-not-list": {
    kind: "REFUSED",
    message: "{{name}} must be a list: an item on each line, or a JSON array.",
  },
  "flow.input-not-json": { kind: "REFUSED", message: "{{name}} must be valid JSON." },
  "flow.denied": { kind: "REFUSED", message: "{{block}} wasn't approved, so the flow ended." },
  "flow.workspace-missing": {
    kind: "REFUSED",
    message: "{{block}} searches a workspace. Test the flow in one.",
  },
  "flow.model-missing": {
    kind: "REFUSED",
    message: "{{block}} needs a language model. Choose one in Settings > Language model.",
  },
  "flow.inactive": {
    kind: "REFUSED",
    message: "This flow is turned off or isn't shared with you, so you can't run it.",
  },
  "flow.run-not-found": { kind: "NOT_FOUND", message: "This run doesn't exist." },
  "flow.too-many-runs": {
    kind: "CONFLICT",
    message: "{{limit}} of your runs haven't ended yet. Wait for them or cancel some.",
  },
  "flow.run-not-ended": {
    kind: "CONFLICT",
    message: "This run hasn't ended yet. Cancel it or wait for its end.",
  },
  "flow.run-complete": {
    kind: "CONFLICT",
    message: "This run has no block at which it could continue. Run it again from the start.",
  },
  "flow.trigger-not-found": {
    kind: "NOT_FOUND",
    message: "This flow can't be started this way.",
  },
  "flow.hook-not-found": { kind: "NOT_FOUND", message: "Not Found" },
  "flow.hook-invalid": {
    kind: "REFUSED",
    message: "The webhook's body isn't JSON.",
  },
  "flow.hook-too-often": {
    kind: "TOO_MANY_ATTEMPTS",
    message: "This webhook is called too often. Try again in {{seconds}} seconds.",
  },
  "flow.interrupted": {
    kind: "REFUSED",
    message: "The run was interrupted {{count}} times, so it was ended.",
  },
  "flow.outcome-unknown": {
    kind: "REFUSED",
    message:
      "{{block}} was interrupted after it had begun to send. Whether that took effect is unknown, so it wasn't sent again.",
  },
  "flow.record-too-large": {
    kind: "TOO_LARGE",
    message: "{{block}} returned too much: the results of a run can have at most {{megabytes}} MB.",
  },
  "flow.request-not-approved": {
    kind: "REFUSED",
    message:
      "{{block}} wanted to send a request to {{destination}}, which wasn't approved, so the flow ended.",
  },
  "flow.approval-missing": {
    kind: "REFUSED",
    message: "{{block}} asks for an approval that wasn't given in advance, so the flow ended.",
  },
} as const satisfies Record<string, ErrorDefinition>;
