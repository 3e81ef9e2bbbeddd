import type { ErrorDefinition } from "./error-definition.ts";

/** Faults of scheduled work, and why schedules pause and runs are skipped. */
export const scheduleErrors = {
  "schedule.not-found": { kind: "NOT_FOUND", message: "This schedule doesn't exist." },
  "schedule.run-not-found": { kind: "NOT_FOUND", message: "This run doesn't exist." },
  "schedule.call-not-found": { kind: "NOT_FOUND", message: "This call wasn't denied." },
  "schedule.call-too-long": {
    kind: "CONFLICT",
    message:
      "The destination of this call has more than {{limit}} characters. It can't be allowed in advance.",
  },
  "schedule.off": {
    kind: "DISABLED",
    message: "An admin has switched scheduled work off.",
  },
  "schedule.too-many": {
    kind: "CONFLICT",
    message: "You can have at most {{limit}} schedules. Delete one first.",
  },
  "schedule.cron-invalid": {
    kind: "BAD_INPUT",
    message:
      "This isn't a valid cron expression. Use five fields, such as 0 9 * * MON, or a macro, such as @daily.",
  },
  "schedule.never-due": { kind: "BAD_INPUT", message: "This schedule would never run." },
  "schedule.time-passed": { kind: "BAD_INPUT", message: "This time has passed." },
  "schedule.too-often": {
    kind: "BAD_INPUT",
    message: "A schedule can run at most every {{seconds}} seconds.",
  },
  "schedule.zone-unknown": { kind: "BAD_INPUT", message: "Unknown time zone: {{zone}}." },
  "schedule.result-nowhere": {
    kind: "BAD_INPUT",
    message: "Choose a thread or a webhook for the results.",
  },
  "schedule.owner-needed": {
    kind: "BAD_INPUT",
    message: "Set ownerId to the account that owns the schedule.",
  },
  "schedule.webhook-missing": { kind: "CONFLICT", message: "This schedule has no webhook." },
  "schedule.webhook-unreadable": {
    kind: "CONFLICT",
    message:
      "The webhook's address can't be decrypted, because the instance secret has changed. Enter it again.",
  },
  "schedule.is-running": {
    kind: "CONFLICT",
    message: "A run of this schedule hasn't ended yet.",
  },
  "schedule.approvals-full": {
    kind: "CONFLICT",
    message: "A schedule can have at most {{limit}} approvals. Remove one first.",
  },
  "schedule.flow-unavailable": {
    kind: "REFUSED",
    message: "The flow was deleted, disabled, or is no longer shared with its owner.",
  },
  "schedule.skipped-missed": {
    kind: "REFUSED",
    message: "Carrel wasn't running at this time, and the schedule skips missed runs.",
  },
  "schedule.skipped-running": {
    kind: "REFUSED",
    message: "The previous run hadn't ended yet.",
  },
  "schedule.skipped-off": {
    kind: "REFUSED",
    message: "Scheduled work was switched off by an admin.",
  },
  "schedule.skipped-paused": {
    kind: "REFUSED",
    message: "The schedule was paused before this run started.",
  },
  "schedule.paused-failures": {
    kind: "REFUSED",
    message: "Paused because the last {{count}} runs failed.",
  },
  "schedule.paused-flow": {
    kind: "REFUSED",
    message:
      "Paused because its flow was deleted, disabled, or is no longer shared with its owner.",
  },
  "schedule.start-failed": {
    kind: "INTERNAL",
    message: "The run couldn't be started.",
  },
  "schedule.result-lost": {
    kind: "REFUSED",
    message: "The thread or the flow of this run was deleted before it ended.",
  },
  // What notices say.
  "schedule.result-delivered": { kind: "REFUSED", message: "There is a new result." },
  "schedule.calls-denied": {
    kind: "REFUSED",
    message:
      "It wasn't allowed to make {{count}} of its calls, because you hadn't approved them in advance.",
  },
} as const satisfies Record<string, ErrorDefinition>;
