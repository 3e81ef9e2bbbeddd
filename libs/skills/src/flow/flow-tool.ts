import {
  clipText,
  flowLimits,
  readFlowValue,
  type FlowStep,
  type FlowVariableType,
} from "@carrel/contracts";
import { z } from "zod";
import { onOneLine, withoutHidden } from "../plain-text.ts";
import type { ApprovalDetail, Tool, ToolCall } from "../tool.ts";
import { admissionQuestion, showUrl, titleOf, type FlowPorts } from "./block.ts";
import {
  describeRequests,
  listReached,
  listRequests,
  readReach,
  type FindSteps,
} from "./flow-reach.ts";
import { FlowSecrets, type CredentialStore } from "./flow-secrets.ts";
import { runFlow } from "./run-flow.ts";
import { showValue } from "./substitute.ts";

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

type Input = Record<string, unknown>;

const item = z.union([z.string(), z.number(), z.boolean(), z.record(z.string(), z.unknown())]);
const parameterTypes: Record<FlowVariableType, z.ZodType> = {
  text: z.string().max(longestValue),
  number: z.number(),
  boolean: z.boolean(),
  list: z.array(item),
  json: z.union([z.record(z.string(), z.unknown()), z.array(item)]),
};

/** The parameters of the tool: the variables of the flow's start. */
function readParameters(steps: readonly FlowStep[]): z.ZodType<Input> {
  const variables = steps.flatMap((step) => (step.type === "start" ? step.config.variables : []));
  const fields = variables.flatMap((variable) => {
    const { value, description, valueType = "text", required = false } = variable;
    const key = variable.name.trim();
    if (!parameterName.test(key) || key === "__proto__") return [];
    const type = parameterTypes[valueType];
    const field = description === "" ? type : type.describe(description);
    if (value.trim() === "") return [[key, required ? field : field.optional()] as const];
    const known = readFlowValue(valueType, value);
    return [[key, known === null ? field.optional() : field.default(known.value)] as const];
  });
  return z.object(Object.fromEntries(fields));
}

/** Makes a flow a tool for agents. */
export function createFlowTool(
  flow: StoredFlow,
  name: string,
  o: Pick<FlowPorts, "content" | "model" | "search" | "findFlow"> & {
    find: FindSteps;
    credentials: CredentialStore;
  },
): Tool {
  const { steps } = flow;
  // Its requests are planned once, with the variable of the loop in them.
  const hasLoop = listReached(steps, o.find).some(({ type }) => type === "carrel-loop");
  const requestsOf = (input: Input) => listRequests(steps, textsOf(input), o.find);
  const tool: Tool<Input> = {
    skill: `@@flow_${flow.id}`,
    name,
    description: clipText(
      flow.description.trim() === "" ? `Runs the flow ${flow.name}.` : flow.description,
      1_000,
    ),
    input: readParameters(steps),
    // Longer than a flow may run.
    timeoutMs: (flowLimits.minutes + 1) * 60_000,
    ...readReach(steps, o.find),
    object: () => onOneLine(clipText(flow.name, 200)),
    addresses: (input) => requestsOf(input).map(({ address }) => address),
    describe: (input) => {
      const { destination, details } = describeRequests(requestsOf(input));
      return { destination, details: hasLoop ? [...details, ...listValues(input)] : details };
    },
    async run(input, call) {
      const planned = new Set(requestsOf(input).map(({ origin }) => origin));
      const outcome = await runFlow({
        flowId: flow.id,
        steps,
        inputs: textsOf(input),
        returns: "all",
        ports: {
          ...o,
          secrets: new FlowSecrets(o.credentials),
          approve: (question, details, { step }) => {
            const block = titleOf(step);
            const destination = `${step.type}:${step.id ?? block}`;
            return askPerson(call, { block, destination, question, details });
          },
          // The results of blocks may have chosen it, which were written by others.
          admit: (request) =>
            planned.has(request.url.origin)
              ? Promise.resolve(true)
              : askPerson(call, {
                  block: request.title,
                  destination: request.url.origin,
                  question: admissionQuestion(flow.name, request),
                  details: showUrl(request.url),
                }),
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

/** The values that were given, as flows read them. */
const textsOf = (input: Input): Record<string, string> =>
  Object.fromEntries(
    Object.entries(input).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, showValue(value)]],
    ),
  );

const listValues = (input: Input): ApprovalDetail[] =>
  Object.entries(textsOf(input)).map(([label, value]) => ({ label, value }));

const yes = "Yes";
async function askPerson(
  call: Pick<ToolCall, "ask" | "isApproved">,
  o: { block: string; destination: string; question: string; details: string },
): Promise<boolean> {
  const question = o.details.trim() === "" ? o.question : `${o.question}\n\n${o.details}`;
  const details = [{ label: o.block, value: question }];
  if (await call.isApproved?.({ destination: o.destination, details })) return true;
  const [answer] = await call.ask([
    {
      kind: "choice",
      question,
      options: [yes, "No"],
      optionDescriptions: [],
      multiSelect: false,
      allowOther: false,
    },
  ]);
  return answer === yes;
}
