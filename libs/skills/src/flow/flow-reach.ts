import { flowLimits, listFlowSteps, type FlowBlock, type FlowStep } from "@carrel/contracts";
import { ToolError, type ApprovalDetail, type Tool } from "../tool.ts";
import { titleOf } from "./block.ts";
import { buildRequest, pageAddress } from "./requests.ts";
import { startVariables } from "./start-variables.ts";
import { hasVariables, substitute, type Variables } from "./substitute.ts";

/* What a flow can do, known before it runs: for approvals and for the lists of flows. */

/** The blocks of other flows; null if there is none by this ID. */
export type FindSteps = (id: string) => readonly FlowStep[] | null;

type RequestStep = FlowBlock<"apiCall"> | FlowBlock<"webScraping">;
const isRequest = (step: FlowStep): step is RequestStep =>
  step.type === "apiCall" || step.type === "webScraping";

/** The blocks of a flow and of all flows that it runs. */
export function listReached(steps: readonly FlowStep[], find: FindSteps): FlowStep[] {
  const seen = new Set<string>();
  const collect = (some: readonly FlowStep[]): FlowStep[] =>
    listFlowSteps(some).flatMap((step) => {
      if (step.type !== "carrel-flow" || seen.has(step.config.flowId)) return [step];
      seen.add(step.config.flowId);
      return [step, ...collect(find(step.config.flowId) ?? [])];
    });
  return collect(steps);
}

const textsOf = ({ type, config }: RequestStep): string[] =>
  type === "webScraping"
    ? [config.url]
    : [
        config.url,
        config.body,
        ...[...config.headers, ...config.formData].flatMap(({ key, value }) => [key, value]),
      ];

/** A request that sends something, rather than reading what is always the same. */
const isSending = (step: RequestStep): boolean =>
  (step.type === "apiCall" && step.config.method !== "GET") || textsOf(step).some(hasVariables);

/** What a flow may do at most, as agents' tools say it. */
export function readReach(
  steps: readonly FlowStep[],
  find: FindSteps,
): Pick<Tool, "effect" | "isUntrusted" | "isRepeatable" | "approval"> {
  const reached = listReached(steps, find);
  const requests = reached.filter(isRequest);
  const sends = requests.some(isSending);
  return {
    effect: sends ? "send" : requests.length > 0 ? "fetch" : "none",
    isUntrusted: requests.length > 0 || reached.some(({ type }) => type === "carrel-search"),
    isRepeatable: !sends,
    approval: requests.length > 0 ? "when-tainted" : "never",
  };
}

const hidden = "••••••••";

export interface PlannedRequest {
  /** Of the block. */
  title: string;
  /** As far as it is known before the run: variables of blocks are still in it. */
  address: string;
  /** Null if it isn't known. */
  origin: string | null;
  /** The address and all that would be sent. */
  text: string;
}

/** Headers often hold keys of the flow's author. */
type HeaderValues = "hidden" | "shown";

/** Blocks that are looked at, with those of flows in flows: a run can't have more. */
const mostLooked = 5_000;
/** Requests to further addresses are asked for when they are due. */
const mostPlanned = 500;

/** The requests of a flow with these inputs, as far as they are known before the run. */
export function listRequests(
  steps: readonly FlowStep[],
  inputs: Readonly<Record<string, string>>,
  find: FindSteps,
  headerValues: HeaderValues = "hidden",
): PlannedRequest[] {
  const around: string[] = [];
  let looked = 0;
  const collect = (some: readonly FlowStep[], variables: Variables): PlannedRequest[] =>
    listFlowSteps(some).flatMap((step) => {
      looked += 1;
      if (looked > mostLooked) return [];
      if (isRequest(step)) return [plan(step, variables, headerValues)];
      if (step.type !== "carrel-flow" || around.includes(step.config.flowId)) return [];
      // A run goes no deeper either.
      if (around.length >= flowLimits.depth) return [];
      const inner = find(step.config.flowId) ?? [];
      around.push(step.config.flowId);
      const values = step.config.inputs.map(({ name, value }) => [name, fill(value, variables)]);
      const found = collect(inner, startVariables(inner, Object.fromEntries(values)));
      around.pop();
      return found;
    });
  return collect(steps, startVariables(steps, inputs)).slice(0, mostPlanned);
}

/** As it is written if it would be too large, which ends the run when it gets there. */
function fill(text: string, variables: Variables): string {
  try {
    return substitute(text, variables);
  } catch (error) {
    if (error instanceof ToolError) return text;
    throw error;
  }
}

/** A request whose texts would be too large is shown as it is written. */
function plan(step: RequestStep, variables: Variables, headerValues: HeaderValues): PlannedRequest {
  try {
    return describeRequest(step, variables, headerValues);
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return { ...describeRequest(step, new Map(), headerValues), origin: null };
  }
}

function describeRequest(
  step: RequestStep,
  variables: Variables,
  headerValues: HeaderValues,
): PlannedRequest {
  const title = titleOf(step);
  if (step.type === "webScraping") {
    const address = pageAddress(step, variables);
    return { title, address, origin: originOf(address), text: `GET ${address}` };
  }
  const { url, method, headers, body } = buildRequest(step, variables);
  const lines = [
    `${method} ${url}`,
    ...headers.map(([name, value]) => `${name}: ${headerValues === "shown" ? value : hidden}`),
    ...(body === null ? [] : ["", body]),
  ];
  return { title, address: url, origin: originOf(url), text: lines.join("\n") };
}

function originOf(address: string): string | null {
  const url = URL.parse(address);
  return url === null || /[${}]/.test(url.host) ? null : url.origin;
}

export const describeRequests = (
  requests: readonly PlannedRequest[],
): { destination: string | null; details: ApprovalDetail[] } => ({
  destination:
    requests.length === 0
      ? null
      : [...new Set(requests.map(({ origin, address }) => origin ?? address))].join(", "),
  details: requests.map(({ title, text }) => ({ label: title, value: text })),
});
