import type { CredentialWire, FlowStep, FlowStepRun, FlowSummary } from "@carrel/contracts";
import { createContext, use } from "react";
import type { Problem } from "../state/problems.ts";
import type { Builder } from "../state/use-builder.ts";

export interface BuilderScope {
  builder: Builder;
  /** Flows that sub-flows can run. */
  flows: readonly FlowSummary[];
  /** Those that the flow may use. */
  credentials: readonly CredentialWire[];
  runFrom: ((step: FlowStep) => void) | null;
}

export const BuilderContext = createContext<BuilderScope | null>(null);

export function useScope(): BuilderScope {
  const scope = use(BuilderContext);
  if (!scope) throw new Error("outside of a builder");
  return scope;
}

export const problemsAt = (problems: readonly Problem[], id: string): Problem[] =>
  problems.filter(({ block }) => block === id);

/** What a block did in the last test run; in loops, its last round. */
export const lastRunOf = (builder: Builder, id: string): FlowStepRun | null =>
  builder.lastRun?.steps.findLast((step) => step.id === id) ?? null;
