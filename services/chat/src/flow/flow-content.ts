import {
  CarrelError,
  flowDepth,
  flowLimits,
  flowStep,
  isRecentlyProven,
  listFlowSteps,
  longestFlowDescription,
  longestFlowName,
  ownBlockPrefix,
  type FlowStep,
  type Principal,
} from "@carrel/contracts";
import type { FlowContent } from "./flow.repository.ts";

/** What existing builders know. */
const legacyTypes: ReadonlySet<string> = new Set([
  "start",
  "apiCall",
  "llmInstruction",
  "webScraping",
]);

export const hasOwnBlocks = (steps: readonly FlowStep[]): boolean =>
  steps.some(({ type }) => type.startsWith(ownBlockPrefix));

/** Throws CarrelError if the blocks are more than a flow may have. */
export function checkSteps(steps: readonly FlowStep[]): void {
  if (listFlowSteps(steps).length > flowLimits.steps)
    throw new CarrelError("flow.too-many-steps", { limit: flowLimits.steps });
  if (flowDepth(steps) > flowLimits.depth)
    throw new CarrelError("flow.too-deep", { limit: flowLimits.depth });
  if (Buffer.byteLength(JSON.stringify(steps)) > flowLimits.size)
    throw new CarrelError("flow.too-large", { kilobytes: flowLimits.size / 1_000 });
}

/**
 * Reads what an existing client saves (wire-contract 5.8). Throws CarrelError with what the person
 * can do about it.
 */
export function readLegacyFlow(
  givenName: string,
  { steps: given, description, active }: Readonly<Record<string, unknown>>,
): FlowContent & { active: boolean } {
  if (!Array.isArray(given)) throw new CarrelError("flow.steps-missing");
  const name = givenName.trim();
  if (name === "" || name.length > longestFlowName)
    throw new CarrelError("flow.name-invalid", { limit: longestFlowName });
  const text = typeof description === "string" ? description : "";
  if (text.length > longestFlowDescription)
    throw new CarrelError("flow.description-too-long", { limit: longestFlowDescription });
  const steps = given.map((step, index) => readLegacyStep(step, index + 1));
  checkSteps(steps);
  return { name, description: text, steps, active: active !== false };
}

function readLegacyStep(given: unknown, number: number): FlowStep {
  const written = (given as { type?: unknown } | null)?.type;
  const type = typeof written === "string" ? written : typeof written;
  if (!legacyTypes.has(type)) throw new CarrelError("flow.block-unsupported", { type });
  const parsed = flowStep.safeParse(given);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const field = `${issue!.path.join(".")}: ${issue!.message}`;
  throw new CarrelError("flow.block-invalid", { number, type, field });
}

/** Where and what a flow's blocks send. */
const listDestinations = (steps: readonly FlowStep[]): string[] =>
  listFlowSteps(steps).flatMap(({ type, config }) => {
    if (type === "webScraping") return [config.url];
    if (type !== "apiCall") return [];
    const { url, method, body } = config;
    const pairs = [...config.headers, ...config.formData].map(({ key, value }) => [key, value]);
    return [JSON.stringify([url, method, body, pairs])];
  });

/** Whether the session must prove who uses it: the flow would keep sending to new addresses. */
export const needsProof = (
  principal: Principal,
  before: readonly FlowStep[],
  after: readonly FlowStep[],
): boolean => {
  const known = new Set(listDestinations(before));
  return !isRecentlyProven(principal) && listDestinations(after).some((each) => !known.has(each));
};
