import { innerStepsOf, type FlowBlock, type FlowStep } from "@carrel/contracts";

/** The blocks that are left of a flow that starts late, and those before, which are skipped. */
export interface LateStart {
  steps: FlowStep[];
  skipped: FlowStep[];
}

const holds = (step: FlowStep, id: string): boolean =>
  step.id === id || innerStepsOf(step).some((inner) => holds(inner, id));

/**
 * A flow from one of its blocks on; null if it has none by this ID. Within a condition, the block's
 * branch runs, whatever the condition says. A loop starts at its first round, as no round before
 * has left its variables.
 */
export function startFrom(steps: readonly FlowStep[], id: string): LateStart | null {
  const index = steps.findIndex((step) => holds(step, id));
  const step = steps[index];
  if (step === undefined) return null;
  const before = steps.slice(0, index);
  const after = steps.slice(index + 1);
  if (step.id === id || step.type !== "carrel-condition")
    return { steps: [step, ...after], skipped: before };
  const inner = startFrom(step.config.then, id) ?? startFrom(step.config.otherwise, id)!;
  return {
    steps: [alwaysMet(step, inner.steps), ...after],
    skipped: [...before, ...inner.skipped],
  };
}

const alwaysMet = (step: FlowBlock<"carrel-condition">, then: FlowStep[]): FlowStep => ({
  ...step,
  config: { left: "", operator: "is-empty", right: "", then, otherwise: [] },
});
