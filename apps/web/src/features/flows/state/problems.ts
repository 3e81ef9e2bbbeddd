import { flowLimits, type FlowStep, type FlowVariable } from "@carrel/contracts";
import { listCredentialNames } from "@carrel/contracts/credential-reference";
import { checkFlowInput } from "@carrel/contracts/flow-variable";
import { textsOf } from "./blocks.ts";
import type { Content } from "./content.ts";
import { allBlocks, depthOf } from "./tree.ts";
import { variablesIn, visitBlocks } from "./variables.ts";

export type ProblemCode =
  | "noName"
  | "noBlocks"
  | "tooMany"
  | "tooDeep"
  | "missing"
  | "badName"
  | "repeatedName"
  | "badDefault"
  | "unknownVariable"
  | "emptyCondition"
  | "emptyLoop"
  | "noOperations"
  | "unknownFlow"
  | "ownFlow"
  | "unknownCredential";

export interface Problem {
  code: ProblemCode;
  /** The block's id; null if the flow as a whole is meant. */
  block: string | null;
  field: string | null;
  /** The variable in question. */
  name?: string;
}

/** References would end at these. */
const breaksReferences = /[\s.[\]{}$]/;

/** What would keep a flow from working, in the order of its blocks. */
export function problemsOf(
  { name, steps }: Content,
  known: {
    flowId: string | null;
    flowIds: readonly string[] | null;
    /** Names of those that the flow may use; null until known. */
    credentials: readonly string[] | null;
  },
): Problem[] {
  const problems: Problem[] = [];
  const ofFlow = (code: ProblemCode, field: string | null = null): void =>
    void problems.push({ code, block: null, field });
  if (name.trim() === "") ofFlow("noName", "name");
  const all = allBlocks(steps);
  if (all.every(({ type }) => type === "start")) ofFlow("noBlocks");
  if (all.length > flowLimits.steps) ofFlow("tooMany");
  if (depthOf(steps) > flowLimits.depth) ofFlow("tooDeep");
  visitBlocks(steps, (step, before) => {
    const note = (code: ProblemCode, field: string | null, variable?: string): void =>
      void problems.push({
        code,
        block: step.id ?? null,
        field,
        ...(variable !== undefined && { name: variable }),
      });
    const missing = new Set<string>();
    for (const { field, text, required } of textsOf(step)) {
      if (required === true && text.trim() === "" && !missing.has(field)) {
        missing.add(field);
        note("missing", field);
      }
      for (const used of variablesIn(text))
        if (before.every(({ name: each }) => each !== used)) note("unknownVariable", field, used);
      if (step.type === "apiCall" && known.credentials !== null)
        for (const used of listCredentialNames(text))
          if (!known.credentials.includes(used)) note("unknownCredential", field, used);
    }
    for (const { field, text } of variableNames(step))
      if (breaksReferences.test(text.trim())) note("badName", field, text.trim());
    if (step.type === "start") checkStart(step.config.variables, note);
    else if (step.type === "carrel-condition") {
      if (step.config.then.length + step.config.otherwise.length === 0)
        note("emptyCondition", null);
    } else if (step.type === "carrel-loop") {
      if (step.config.itemVariable.trim() === "") note("missing", "itemVariable");
      if (step.config.steps.length === 0) note("emptyLoop", null);
    } else if (step.type === "carrel-code") {
      if (step.config.code.trim() === "") note("missing", "code");
    } else if (step.type === "carrel-transform") {
      if (step.config.operations.length === 0) note("noOperations", "operations");
    } else if (step.type === "carrel-flow") {
      const { flowId } = step.config;
      if (flowId === "") note("missing", "flowId");
      else if (flowId === known.flowId) note("ownFlow", "flowId");
      else if (known.flowIds !== null && !known.flowIds.includes(flowId))
        note("unknownFlow", "flowId");
    }
  });
  return problems;
}

function variableNames(step: FlowStep): { field: string; text: string }[] {
  if (step.type === "start")
    return step.config.variables.map(({ name }) => ({ field: "variables", text: name }));
  if (step.type === "apiCall")
    return [{ field: "responseVariable", text: step.config.responseVariable }];
  return [
    ...(step.type === "carrel-loop"
      ? [{ field: "itemVariable", text: step.config.itemVariable }]
      : []),
    ...("resultVariable" in step.config
      ? [{ field: "resultVariable", text: String(step.config.resultVariable) }]
      : []),
  ];
}

function checkStart(
  variables: readonly FlowVariable[],
  note: (code: ProblemCode, field: string, variable?: string) => void,
): void {
  const names = variables.map(({ name }) => name.trim());
  if (variables.some((each) => each.name.trim() === "" && (each.value || each.description)))
    note("missing", "variables");
  for (const name of new Set(names.filter((each, index) => each && names.indexOf(each) < index)))
    note("repeatedName", "variables", name);
  for (const { name, value, valueType } of variables)
    if (checkFlowInput({ valueType }, value) !== null) note("badDefault", "variables", name.trim());
}
