import { checkFlowInput, readFlowValue, type FlowBlock, type FlowStep } from "@carrel/contracts";
import { toolFault } from "../tool-fault.ts";
import { showValue, type Variables } from "./substitute.ts";

/** The values that a flow starts with; those that aren't of their type are texts. */
export function startVariables(
  steps: readonly FlowStep[],
  inputs: Readonly<Record<string, string>>,
): Map<string, unknown> {
  const variables = new Map<string, unknown>(Object.entries(inputs));
  for (const step of steps)
    if (step.type === "start")
      for (const { name: written, value, valueType = "text" } of step.config.variables) {
        const name = written.trim();
        const text = String(variables.get(name) ?? value);
        if (name !== "")
          variables.set(name, (readFlowValue(valueType, text) ?? { value: text }).value);
      }
  return variables;
}

/** Throws ToolError if a value is missing or isn't of its type. */
export function checkStart({ config }: FlowBlock<"start">, variables: Variables): void {
  for (const variable of config.variables) {
    const name = variable.name.trim();
    const code = checkFlowInput(variable, showValue(variables.get(name) ?? ""));
    if (name !== "" && code !== null) throw toolFault({ code, params: { name } });
  }
}
