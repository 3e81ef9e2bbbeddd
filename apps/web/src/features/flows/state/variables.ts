import type { FlowStep, FlowVariableType } from "@carrel/contracts";
import { resultOf } from "./blocks.ts";
import { listIn, slotsOf } from "./tree.ts";

/** A variable that blocks before one define. */
export interface KnownVariable {
  name: string;
  /** Null if only a run shows it. */
  type: FlowVariableType | null;
  /** Only some branch or round sets it, so that a run may not have it. */
  maybe: boolean;
}

/** What the type of a block says about its result. */
function typeOfResult(step: FlowStep): FlowVariableType | null {
  switch (step.type) {
    case "llmInstruction":
    case "webScraping":
      return "text";
    case "carrel-search":
    case "carrel-loop":
      return "list";
    case "carrel-transform":
      return step.config.operations.at(-1)?.kind === "format" ? "text" : null;
    default:
      return null;
  }
}

type Scope = Map<string, KnownVariable>;
const add = (scope: Scope, variable: KnownVariable): void => {
  if (variable.name === "") return;
  const known = scope.get(variable.name);
  const type = known === undefined || known.type === variable.type ? variable.type : null;
  scope.set(variable.name, {
    ...variable,
    type,
    maybe: variable.maybe && known?.maybe !== false,
  });
};

const endsFlow = ({ config }: FlowStep): boolean =>
  "directOutput" in config && config.directOutput === true;

/** Visits each block with the variables that are defined before it, in order. */
export function visitBlocks(
  steps: readonly FlowStep[],
  visit: (step: FlowStep, known: readonly KnownVariable[]) => void,
): void {
  visitList(steps, visit, new Map());
}

/** Returns what is defined after the blocks. */
function visitList(
  steps: readonly FlowStep[],
  visit: (step: FlowStep, known: readonly KnownVariable[]) => void,
  before: Scope,
): Scope {
  const scope: Scope = new Map(before);
  for (const step of steps) {
    visit(step, [...scope.values()]);
    if (step.type === "start")
      for (const { name, valueType = "text" } of step.config.variables)
        add(scope, { name: name.trim(), type: valueType, maybe: false });
    else if (step.type === "carrel-condition") {
      const branches = slotsOf(step).map((slot) => listIn(step, slot));
      const after = branches
        .map((branch) => ({ branch, left: visitList(branch, visit, scope) }))
        .filter(({ branch }) => !branch.some(endsFlow))
        .map(({ left }) => left);
      for (const branch of after)
        for (const [name, variable] of branch) {
          const isSure = after.every((each) => each.get(name)?.maybe === false);
          add(scope, { ...variable, maybe: !isSure });
        }
    } else if (step.type === "carrel-loop") visitLoop(step, visit, scope);
    add(scope, { name: resultOf(step), type: typeOfResult(step), maybe: false });
  }
  return scope;
}

function visitLoop(
  step: Extract<FlowStep, { type: "carrel-loop" }>,
  visit: (step: FlowStep, known: readonly KnownVariable[]) => void,
  scope: Scope,
): void {
  const item = step.config.itemVariable.trim();
  const outer = scope.get(item);
  const inside: Scope = new Map(scope);
  inside.delete(item);
  add(inside, { name: item, type: null, maybe: false });
  // A later round has what the one before has set.
  const first = visitList(step.config.steps, () => undefined, inside);
  for (const variable of first.values()) add(inside, { ...variable, maybe: true });
  const after = visitList(step.config.steps, visit, inside);
  // The list may be empty.
  for (const variable of after.values()) add(scope, { ...variable, maybe: true });
  // A loop's item exists inside of it only.
  if (outer) scope.set(item, outer);
  else scope.delete(item);
}

export function variablesBefore(steps: readonly FlowStep[], id: string): readonly KnownVariable[] {
  let found: readonly KnownVariable[] = [];
  visitBlocks(steps, (step, known) => {
    if (step.id === id) found = known;
  });
  return found;
}

/** The variables that a text refers to, without the paths into them. */
export const variablesIn = (text: string): string[] => [
  ...new Set(
    [...text.matchAll(/\$\{([^}]+)\}/g)].map(([, path = ""]) =>
      (path.split(/[.[]/)[0] ?? "").trim(),
    ),
  ),
];
