import { createHash } from "node:crypto";
import {
  CarrelError,
  clipText,
  flowSteps,
  innerStepsOf,
  listCredentialNames,
  listFlowSteps,
  longestFlowDescription,
  longestFlowName,
  toImportId,
  type Args,
  type FlowStep,
  type HubPreview,
  type Out,
  type importFlow,
} from "@carrel/contracts";
import { z } from "zod";
import type { HubItem } from "./hub-item.ts";

type FlowItem = Extract<HubItem, { itemType: "agent-flow" }>;
type FlowPreview = Extract<HubPreview, { type: "agent-flow" }>;

const flow = z.object({ steps: flowSteps });

/** What chat is asked to import. Throws `hub.item-invalid`. */
export function toFlow(
  hub: { name: string; identity: string },
  item: FlowItem,
): Omit<Args<typeof importFlow>, "dryRun" | "steps"> & { steps: FlowStep[] } {
  const parsed = flow.safeParse(item.flow);
  if (!parsed.success) {
    const field = parsed.error.issues[0]?.path.join(".") ?? "steps";
    throw new CarrelError("hub.item-invalid", { hub: hub.name, field });
  }
  return {
    id: idOf(hub.identity, toImportId(item.itemType, item.id)),
    name: clipText(item.name, longestFlowName),
    description: clipText(item.description, longestFlowDescription),
    steps: parsed.data.steps,
  };
}

/** The same for each import of an item, so that none is imported twice; a UUID of version 8. */
function idOf(hub: string, importId: string): string {
  const hash = createHash("sha256").update(`${hub}\n${importId}`).digest().subarray(0, 16);
  hash[6] = (hash[6]! & 0x0f) | 0x80;
  hash[8] = (hash[8]! & 0x3f) | 0x80;
  return hash.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

const describe = (steps: readonly FlowStep[], depth = 0): FlowPreview["blocks"] =>
  steps.flatMap((step) => [
    { type: step.type, title: step.title ?? null, depth },
    ...describe(innerStepsOf(step), depth + 1),
  ]);

/** Where a flow's blocks send something, or read it from. */
function listAddresses(steps: readonly FlowStep[]): FlowPreview["sendsTo"] {
  const found = new Map<string, FlowPreview["sendsTo"][number]>();
  for (const step of listFlowSteps(steps)) {
    if (step.type !== "apiCall" && step.type !== "webScraping") continue;
    const method = step.type === "apiCall" ? step.config.method : "GET";
    const address = toOrigin(step.config.url);
    found.set(`${method} ${address}`, { method, address });
  }
  return [...found.values()];
}

/** As far as it is known before the flow runs. */
function toOrigin(address: string): string {
  const start = /^https?:\/\/[^/?#]*/i.exec(address.trim())?.[0];
  if (start === undefined || /[${}]/.test(start)) return clipText(address, 300);
  return URL.parse(start)?.origin ?? clipText(start, 300);
}

export const describeFlow = (
  { name, description = "", steps }: ReturnType<typeof toFlow>,
  { state, missingFlows, missingCredentials }: Out<typeof importFlow>,
): FlowPreview => ({
  type: "agent-flow",
  name,
  description,
  blocks: describe(steps),
  sendsTo: listAddresses(steps),
  usesModel: listFlowSteps(steps).some(({ type }) => type === "llmInstruction"),
  credentials: listCredentialNames(JSON.stringify(steps)),
  missingCredentials,
  missingFlows,
  state,
});
