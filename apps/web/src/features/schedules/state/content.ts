import {
  longestScheduleName,
  longestSchedulePrompt,
  type AdvanceApproval,
  type Args,
  type ChatMode,
  type createSchedule,
  type missedRuns,
  type ModelChoice,
  type scheduleKinds,
  type scheduleThreads,
  type ScheduleWire,
} from "@carrel/contracts";
import { checkFlowInput } from "@carrel/contracts/flow-variable";
import { readItem, storeItem } from "../../../lib/indexed-db.ts";
import { isZone, newWhen, readTiming, timingOf, type When } from "../../../lib/schedule-timing.ts";
import type { SharedFlow } from "../../../lib/shared-flows.ts";

export type Kind = (typeof scheduleKinds)[number];

/** A schedule as its form has it; what another kind of work needs is kept, too. */
export interface Content {
  name: string;
  kind: Kind;
  /** Slug. */
  workspace: string;
  prompt: string;
  /** null: the workspace's. */
  mode: ChatMode | null;
  /** null: the workspace's. */
  model: ModelChoice | null;
  flowId: string;
  inputs: Record<string, string>;
  when: When;
  missed: (typeof missedRuns)[number];
  thread: (typeof scheduleThreads)[number];
  webhook: string;
  onlyWhenChanged: boolean;
  approvals: AdvanceApproval[];
}

export const newContent = (workspace: string, zone: string): Content => ({
  name: "",
  kind: "prompt",
  workspace,
  prompt: "",
  mode: null,
  model: null,
  flowId: "",
  inputs: {},
  when: newWhen(zone),
  missed: "once",
  thread: "new",
  webhook: "",
  onlyWhenChanged: false,
  approvals: [],
});

export function contentOf(schedule: ScheduleWire): Content {
  const { work, delivery } = schedule;
  const base = newContent(schedule.workspaceSlug ?? "", schedule.timing.timeZone);
  return {
    ...base,
    name: schedule.name,
    kind: work.kind,
    ...(work.kind === "flow"
      ? { flowId: work.flowId, inputs: work.inputs }
      : { prompt: work.prompt, model: work.model }),
    ...(work.kind === "prompt" && { mode: work.mode }),
    when: readTiming(schedule.timing),
    missed: schedule.missed,
    thread: delivery.thread,
    webhook: delivery.webhook ?? "",
    onlyWhenChanged: delivery.onlyWhenChanged,
    approvals: schedule.approvals,
  };
}

/** Whether its runs may use tools: those of flows and agents, and of prompts in automatic mode. */
export const usesTools = ({ kind, mode }: Content, workspaceMode: ChatMode | null): boolean =>
  kind !== "prompt" || (mode ?? workspaceMode) === "automatic";

export type Field =
  | "name"
  | "workspace"
  | "prompt"
  | "flow"
  | "inputs"
  | "time"
  | "days"
  | "date"
  | "cron"
  | "zone"
  | "thread"
  | "webhook";
export type Problem = "missing" | "tooLong" | "invalid" | "nowhere" | "passed";
export type Problems = Partial<Record<Field, Problem>>;

/** What keeps a flow from starting with the value of a variable, or with its default. */
export const inputFault = (
  variable: SharedFlow["variables"][number],
  inputs: Readonly<Record<string, string>>,
): ReturnType<typeof checkFlowInput> =>
  checkFlowInput(variable, inputs[variable.name] ?? variable.value);

/** What is missing or can't be saved, by field. */
export function problemsOf(
  content: Content,
  /** Only then can its workspace be chosen. */
  isNew: boolean,
  /** undefined: not of a flow, or not known yet. */
  flow: SharedFlow | undefined,
  now = Date.now(),
): Problems {
  const { kind, when } = content;
  const problems: Problems = {};
  const need = (field: Field, text: string, most = Infinity): void => {
    if (text.trim() === "") problems[field] = "missing";
    else if (text.trim().length > most) problems[field] = "tooLong";
  };
  need("name", content.name, longestScheduleName);
  if (isNew) need("workspace", content.workspace);
  if (kind === "flow") {
    need("flow", content.flowId);
    if (flow?.variables.some((each) => inputFault(each, content.inputs) !== null))
      problems.inputs = "missing";
  } else need("prompt", content.prompt, longestSchedulePrompt);
  if (when.repeat === "custom") need("cron", when.cron, 200);
  else if (when.repeat !== "hour") need("time", when.time);
  if (when.repeat === "week" && when.days.length === 0) problems.days = "missing";
  if (when.repeat === "once") need("date", when.date);
  if (!isZone(when.zone)) problems.zone = when.zone.trim() === "" ? "missing" : "invalid";
  const timing = timingOf(when);
  if (timing?.kind === "once" && Date.parse(timing.at) <= now) problems.date = "passed";
  const webhook = content.webhook.trim();
  if (webhook !== "" && !/^https?:\/\/[^/\s]/i.test(webhook)) problems.webhook = "invalid";
  if (content.thread === "none" && webhook === "") problems.thread = "nowhere";
  return problems;
}

/** The field that a fault of the server is about; null: none of them. */
export function fieldOf(code: string | undefined): Field | null {
  switch (code) {
    case "schedule.cron-invalid":
    case "schedule.too-often":
    case "schedule.never-due":
      return "cron";
    case "schedule.time-passed":
      return "date";
    case "schedule.zone-unknown":
      return "zone";
    case "schedule.result-nowhere":
      return "thread";
    case "schedule.flow-unavailable":
      return "flow";
    default:
      if (code?.startsWith("flow.input-")) return "inputs";
      // Addresses are refused for many reasons.
      return code?.startsWith("link.") || code?.startsWith("egress.") ? "webhook" : null;
  }
}

/** What the server saves; null while something is missing. */
export function savedContent(
  content: Content,
  isNew: boolean,
  flow: SharedFlow | undefined,
): Omit<Args<typeof createSchedule>, "slug" | "ownerId"> | null {
  const timing = timingOf(content.when);
  if (timing === null || Object.keys(problemsOf(content, isNew, flow)).length > 0) return null;
  const { kind, mode, model, flowId, inputs, webhook, thread, onlyWhenChanged } = content;
  const prompt = content.prompt.trim();
  return {
    name: content.name.trim(),
    work:
      kind === "flow"
        ? { kind, flowId, inputs }
        : kind === "agent"
          ? { kind, prompt, model }
          : { kind, prompt, mode, model },
    timing,
    missed: content.missed,
    delivery: { thread, webhook: webhook.trim() || null, onlyWhenChanged },
    approvals: content.approvals,
  };
}

export const isSame = (one: Content, other: Content): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

const draftKey = (id: string | null): string => `schedule-draft:${id ?? "new"}`;

/** Keeps what was typed and not saved in this browser; null: nothing any more. */
export const keepDraft = (id: string | null, content: Content | null): Promise<unknown> =>
  storeItem(draftKey(id), content ?? undefined);

type Fields = Record<string, unknown>;
const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The fields of `value` that have the type of their default, and the defaults of the others. */
function restore<T extends object>(value: Fields, defaults: T): T {
  const kept = Object.entries(defaults).map(([key, standard]) => {
    const stored = value[key];
    return [
      key,
      typeof stored === typeof standard && Array.isArray(stored) === Array.isArray(standard)
        ? stored
        : standard,
    ];
  });
  return Object.fromEntries(kept) as T;
}

/** The kept draft; another version of the app may have written it. */
export async function readDraft(id: string | null, defaults: Content): Promise<Content | null> {
  const stored = await readItem(draftKey(id));
  if (!isFields(stored)) return null;
  const content = restore(stored, defaults);
  return { ...content, when: restore(isFields(stored.when) ? stored.when : {}, defaults.when) };
}
