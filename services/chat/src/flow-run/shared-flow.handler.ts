import {
  describeFlowRequests,
  listSharedFlows,
  type FlowStep,
  type In,
  type Out,
} from "@carrel/contracts";
import { Handle, type RequestContext } from "@carrel/messaging";
import { listReached, listRequests, readReach, titleOf } from "@carrel/skills";
import { Controller } from "@nestjs/common";
import { FlowRepository, type FlowRow } from "../flow/flow.repository.ts";
import { ReplyRoom } from "../flow/reply-room.ts";
import { FlowRuns } from "./flow-runs.ts";
import { FlowTriggerRepository } from "./flow-trigger.repository.ts";

/** Replies have at most 1 MB. */
const mostBytes = 600_000;
/* UTF-16 units of a request. */
const longestAddress = 1_000;
const longestText = 10_000;

type Listed = Out<typeof listSharedFlows>["flows"][number];
type Find = (id: string) => readonly FlowStep[] | null;

/** Flows as those see them who may run them. */
@Controller()
export class SharedFlowHandler {
  constructor(
    private readonly flows: FlowRepository,
    private readonly flowRuns: FlowRuns,
    private readonly triggers: FlowTriggerRepository,
  ) {}

  @Handle(listSharedFlows)
  async list(
    _input: In<typeof listSharedFlows>,
    { scope: { principal } }: RequestContext,
  ): Promise<Out<typeof listSharedFlows>> {
    const active = await this.flows.listActive(principal.role !== "admin");
    const callable = principal.kind === "key" ? await this.triggers.listFlowIds(principal) : null;
    const rows = active.filter(({ id }) => callable?.has(id) ?? true);
    const reached = await this.flows.loadReached(rows);
    return {
      flows: rows
        .map((row) => describe(row, (id) => reached.get(id)?.steps ?? null))
        .sort((one, other) => one.name.localeCompare(other.name)),
    };
  }

  @Handle(describeFlowRequests)
  async describe(
    { id, inputs }: In<typeof describeFlowRequests>,
    { scope: { principal } }: RequestContext,
  ): Promise<Out<typeof describeFlowRequests>> {
    const { steps } = await this.flowRuns.findFor(principal, id);
    const reached = await this.flows.loadReached([{ steps }]);
    const find: Find = (flow) => reached.get(flow)?.steps ?? null;
    const room = new ReplyRoom(mostBytes);
    return {
      requests: listRequests(
        steps,
        inputs,
        find,
        principal.role === "admin" ? "shown" : "hidden",
      ).map((request) => {
        const title = room.clip(request.title);
        const address = room.clip(request.address, longestAddress);
        const text = room.clip(request.text, longestText);
        const rest = text.length < request.text.length ? "…" : "";
        return { ...request, title, address, text: text + rest };
      }),
      approvals: listReached(steps, find)
        .filter((step) => step.type === "carrel-approval")
        .map((step) => ({
          id: step.id ?? null,
          title: titleOf(step),
          question: room.clip(step.config.question),
        })),
    };
  }
}

function describe({ id, name, description, steps }: FlowRow, find: Find): Listed {
  const reached = listReached(steps, find);
  return {
    id,
    name,
    description,
    variables: steps
      .flatMap((step) => (step.type === "start" ? step.config.variables : []))
      .map(({ name: variable, value, description: about, valueType, required }) => ({
        name: variable,
        value,
        description: about,
        ...(valueType !== undefined && { valueType }),
        ...(required !== undefined && { required }),
      })),
    sends: readReach(steps, find).effect === "send",
    searches: reached.some(({ type }) => type === "carrel-search"),
  };
}
