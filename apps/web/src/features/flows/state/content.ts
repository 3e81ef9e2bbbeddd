import type { FlowStep } from "@carrel/contracts";
import { readItem, storeItem } from "../../../lib/indexed-db.ts";
import { completeConfig, isBlockType, newBlock } from "./blocks.ts";
import { listIn, slotsOf, withIds, withoutTemporaryIds } from "./tree.ts";

/** What is edited of a flow. */
export interface Content {
  name: string;
  description: string;
  steps: FlowStep[];
}

export const emptyContent = (): Content => ({
  name: "",
  description: "",
  steps: [newBlock("start")],
});

export const contentOf = ({ name, description, steps }: Content): Content => ({
  name,
  description,
  steps: withIds(steps),
});

/** What is saved of it. A new start has one row to type into, which counts once it has a name. */
export const savedContent = ({ name, description, steps }: Content): Content => ({
  name: name.trim(),
  description,
  steps: withoutTemporaryIds(steps).map((step) =>
    step.type === "start" && step.config.variables.some(isBlank)
      ? { ...step, config: { ...step.config, variables: step.config.variables.filter(isFilled) } }
      : step,
  ),
});
const isBlank = (row: { name: string; value: string; description: string }): boolean =>
  row.name === "" && row.value === "" && row.description === "";
const isFilled = (row: Parameters<typeof isBlank>[0]): boolean => !isBlank(row);

export const isSame = (a: Content, b: Content): boolean =>
  JSON.stringify(savedContent(a)) === JSON.stringify(savedContent(b));

const record = (value: unknown): Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};

/** Reads blocks that another program or an older version wrote; null if they are none. */
function readSteps(value: unknown): FlowStep[] | null {
  if (!Array.isArray(value)) return null;
  const steps: FlowStep[] = [];
  for (const each of value) {
    const { type, config, ...rest } = record(each);
    if (!isBlockType(type)) return null;
    const step = { ...rest, type, config: completeConfig(type, record(config)) } as FlowStep;
    for (const slot of slotsOf(step)) {
      const inner = readSteps(listIn(step, slot));
      if (inner === null) return null;
      Object.assign(step.config, { [slot]: inner });
    }
    steps.push(step);
  }
  return steps;
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

/** Reads an exported flow, ours or that of another client; null if it is none. */
export function readExported(json: string): Content | null {
  try {
    const file = record(JSON.parse(json));
    const outer = "flow" in file ? record(file.flow) : file;
    const flow = "config" in outer ? record(outer.config) : outer;
    const steps = readSteps(flow.steps);
    if (steps === null) return null;
    const name = textOf(flow.name) || textOf(outer.name);
    return { name, description: textOf(flow.description), steps };
  } catch {
    return null;
  }
}

/** As other clients read it, too. */
export const writeExported = (content: Content, active: boolean): string => {
  const { name, description, steps } = savedContent(content);
  return `${JSON.stringify({ name, description, active, steps }, null, 2)}\n`;
};

/** What was typed and not saved, kept in this browser until it is. */
export interface Draft {
  content: Content;
  /** The version that it changes. */
  version: number;
  /** ISO 8601. */
  at: string;
}

const draftKey = (flowId: string | null): string => `flow-draft:${flowId ?? "new"}`;

export const keepDraft = (flowId: string | null, draft: Draft | null): Promise<unknown> =>
  storeItem(draftKey(flowId), draft ?? undefined);

export async function readDraft(flowId: string | null): Promise<Draft | null> {
  const { content, version, at } = record(await readItem(draftKey(flowId)));
  const { name, description, steps: kept } = record(content);
  const steps = readSteps(kept);
  if (steps === null || typeof version !== "number") return null;
  return {
    content: { name: textOf(name), description: textOf(description), steps: withIds(steps) },
    version,
    at: textOf(at),
  };
}
