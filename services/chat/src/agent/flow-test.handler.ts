import { flowTestMs, testFlow, type In, type Out } from "@carrel/contracts";
import { Handle, type RequestContext } from "@carrel/messaging";
import { runFlow, SourceNumbers } from "@carrel/skills";
import { Controller } from "@nestjs/common";
import { checkSteps } from "../flow/flow-content.ts";
import { FlowRepository } from "../flow/flow.repository.ts";
import { ReplyRoom } from "../flow/reply-room.ts";
import { FlowAbilities } from "./flow-abilities.ts";

/* Replies have at most 1 MB, and requests 256 kB. */
const mostTextBytes = 600_000;
const mostVariableBytes = 150_000;
const longestOutput = 50_000;

/** Runs a flow for the admin who builds it, outside of a conversation. */
@Controller()
export class FlowTestHandler {
  constructor(
    private readonly flows: FlowRepository,
    private readonly abilities: FlowAbilities,
  ) {}

  @Handle(testFlow)
  async test(
    { id, inputs, steps: given, from, variables, approve }: In<typeof testFlow>,
    { scope, signal }: RequestContext,
  ): Promise<Out<typeof testFlow>> {
    const flow = id === undefined ? null : await this.flows.find(id);
    const steps = given ?? flow?.steps ?? [];
    checkSteps(steps);
    const reached = await this.flows.loadReached([{ steps }]);
    const outcome = await runFlow({
      flowId: flow?.id ?? null,
      steps,
      inputs,
      ports: {
        ...(await this.abilities.open(scope)),
        approve: () => Promise.resolve(approve),
        admit: () => Promise.resolve(true),
        sources: new SourceNumbers(),
        findFlow: (wanted) => Promise.resolve(reached.get(wanted) ?? null),
      },
      signal,
      from,
      variables,
      milliseconds: flowTestMs,
    });
    const room = new ReplyRoom(mostTextBytes);
    return {
      ok: outcome.error === null,
      ...selectVariables(outcome.variables),
      output: outcome.output === null ? null : room.clip(outcome.output, longestOutput),
      steps: outcome.steps.map((step) => ({ ...step, result: room.clip(step.result) })),
      fault: outcome.error?.fault ?? null,
    };
  }
}

/** The variables that fit into the reply, and into the request of the next test. */
function selectVariables(
  all: Readonly<Record<string, unknown>>,
): Pick<Out<typeof testFlow>, "variables" | "omitted"> {
  let room = mostVariableBytes;
  const kept: [string, unknown][] = [];
  const omitted: string[] = [];
  for (const [name, value] of Object.entries(all)) {
    const size = Buffer.byteLength(JSON.stringify([name, value]));
    if (size > room) omitted.push(name);
    else {
      room -= size;
      kept.push([name, value]);
    }
  }
  return { variables: Object.fromEntries(kept), omitted };
}
