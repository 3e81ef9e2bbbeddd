import { clipText, flowLimits, type FlowStep } from "@carrel/contracts";
import { z } from "zod";
import { onOneLine, withoutHidden } from "../plain-text.ts";
import type { Tool, ToolCall } from "../tool.ts";
import type { FlowPorts, FlowRequest } from "./block.ts";
import { describeRequests, listRequests, readReach, type FindSteps } from "./flow-reach.ts";
import { runFlow } from "./run-flow.ts";

export interface StoredFlow {
  id: string;
  name: string;
  description: string;
  steps: readonly FlowStep[];
}

/** As models may call it; flows whose names differ only in other characters get the same. */
export const flowToolName = ({ id, name }: Pick<StoredFlow, "id" | "name">): string =>
  clipText(
    name
      .normalize("NFKD")
      .replace(/\p{M}/gu, "")
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "_")
      .replace(/^_+/, ""),
    64,
  ).replace(/_$/, "") || `flow_${id.split("-")[0]}`;

/** Vendors accept these names of parameters. */
const parameterName = /^[a-zA-Z0-9_.-]{1,64}$/;
const longestValue = 20_000;

/** The parameters of the tool: the variables of the flow's start. */
function readParameters(steps: readonly FlowStep[]): z.ZodType<Record<string, string | undefined>> {
  const variables = steps.flatMap((step) => (step.type === "start" ? step.config.variables : []));
  const fields = variables.flatMap(({ name, value, description }) => {
    const key = name.trim();
    if (!parameterName.test(key) || key === "__proto__") return [];
    const text = z.string().max(longestValue);
    const field = description === "" ? text : text.describe(description);
    return [[key, value === "" ? field.optional() : field.default(value)] as const];
  });
  return z.object(Object.fromEntries(fields));
}

/** Makes a flow a tool for agents. */
export function createFlowTool(
  flow: StoredFlow,
  name: string,
  o: Pick<FlowPorts, "content" | "model" | "search" | "findFlow"> & { find: FindSteps },
): Tool {
  const { steps } = flow;
  const requestsOf = (input: Record<string, string | undefined>) =>
    listRequests(steps, defined(input), o.find);
  const tool: Tool<Record<string, string | undefined>> = {
    skill: `@@flow_${flow.id}`,
    name,
    description: clipText(
      flow.description.trim() === "" ? `Runs the flow ${flow.name}.` : flow.description,
      1_000,
    ),
    input: readParameters(steps),
    // The flow ends by itself before that.
    timeoutMs: (flowLimits.minutes + 1) * 60_000,
    ...readReach(steps, o.find),
    object: () => onOneLine(clipText(flow.name, 200)),
    addresses: (input) => requestsOf(input).map(({ address }) => address),
    describe: (input) => describeRequests(requestsOf(input)),
    async run(input, call) {
      const planned = new Set(requestsOf(input).map(({ origin }) => origin));
      const outcome = await runFlow({
        steps,
        inputs: defined(input),
        ports: {
          ...o,
          approve: (question, details) => askPerson(call, question, details),
          // The results of blocks may have chosen it, which were written by others.
          admit: ({ title, method, url }) =>
            planned.has(url.origin)
              ? Promise.resolve(true)
              : askPerson(call, admissionQuestion(flow, { title, method, url }), url.href),
        },
        signal: call.signal,
        progress: (done, total) => call.progress(done, total),
      });
      if (outcome.error !== null) throw outcome.error;
      return {
        text: withoutHidden(outcome.output ?? ""),
        ...(outcome.isDirect && { isFinal: true }),
      };
    },
  };
  return tool as Tool;
}

const defined = (input: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(input).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );

const admissionQuestion = (flow: StoredFlow, { title, method, url }: FlowRequest): string =>
  `${title} in the flow ${flow.name} wants to send a ${method} request to ${url.host}, an address that wasn't known before. Allow it?`;

const yes = "Yes";
async function askPerson(
  call: Pick<ToolCall, "ask">,
  question: string,
  details: string,
): Promise<boolean> {
  const [answer] = await call.ask([
    {
      kind: "choice",
      question: details.trim() === "" ? question : `${question}\n\n${details}`,
      options: [yes, "No"],
      optionDescriptions: [],
      multiSelect: false,
      allowOther: false,
    },
  ]);
  return answer === yes;
}
