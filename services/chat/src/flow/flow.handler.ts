import { randomUUID } from "node:crypto";
import {
  CarrelError,
  createFlow,
  deleteFlow,
  flowWithdrawn,
  getFlow,
  getFlowVersion,
  listFlows,
  listFlowSteps,
  listFlowVersions,
  saveLegacyFlow,
  shareFlow,
  toggleFlow,
  updateFlow,
  type FlowSummary,
  type FlowWire,
  type In,
  type Out,
} from "@carrel/contracts";
import { eventMessage, Handle, keyed, Outbox, type RequestContext } from "@carrel/messaging";
import { readReach } from "@carrel/skills";
import { Controller } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";
import { z } from "zod";
import { CredentialRepository } from "../credential/credential.repository.ts";
import { EventLog } from "../event-log/event-log.module.ts";
import { checkSteps, hasOwnBlocks, needsProof, readLegacyFlow } from "./flow-content.ts";
import { FlowRepository, type FlowRow } from "./flow.repository.ts";

type Found = ReadonlyMap<string, FlowRow>;
const uuid = z.uuid();

/** What Carrel's builder and existing clients request. */
@Controller()
export class FlowHandler {
  constructor(
    private readonly dataSource: DataSource,
    private readonly repository: FlowRepository,
    private readonly eventLog: EventLog,
    private readonly credentials: CredentialRepository,
    private readonly outbox: Outbox,
  ) {}

  @Handle(listFlows)
  async list(): Promise<Out<typeof listFlows>> {
    const rows = await this.repository.list();
    const found = new Map(rows.map((row) => [row.id, row]));
    return { flows: rows.map((row) => summarize(row, found)) };
  }

  @Handle(getFlow)
  async get({ id }: In<typeof getFlow>): Promise<Out<typeof getFlow>> {
    return this.describe(await this.repository.find(id));
  }

  @Handle(createFlow)
  create(
    { name, description, steps, active }: In<typeof createFlow>,
    ctx: RequestContext,
  ): Promise<Out<typeof createFlow>> {
    const { principal } = ctx.scope;
    checkSteps(steps);
    if (needsProof(principal, [], steps)) throw new CarrelError("access.proof-due");
    return keyed(this.dataSource, ctx, async (manager) => {
      const id = randomUUID();
      const flow = { id, name, description, steps, active, shared: false };
      await this.repository.add(manager, flow, principal.userId);
      await this.eventLog.record(manager, ctx.scope, "flow_created", { id, name });
      return { id, version: 1 };
    });
  }

  @Handle(updateFlow)
  update(
    { id, version, ...content }: In<typeof updateFlow>,
    { scope }: RequestContext,
  ): Promise<Out<typeof updateFlow>> {
    checkSteps(content.steps);
    return this.dataSource.transaction(async (manager) => {
      const row = await this.repository.find(id, manager);
      if (row.version !== version) throw new CarrelError("flow.changed");
      if (needsProof(scope.principal, row.steps, content.steps))
        throw new CarrelError("access.proof-due");
      const next = await this.repository.update(
        manager,
        row,
        { ...content, active: row.active },
        scope.principal.userId,
      );
      await this.eventLog.record(manager, scope, "flow_updated", { id, name: content.name });
      return { version: next };
    });
  }

  @Handle(shareFlow)
  async share(
    { id, shared }: In<typeof shareFlow>,
    { scope }: RequestContext,
  ): Promise<Out<typeof shareFlow>> {
    await this.dataSource.transaction(async (manager) => {
      const { name } = await this.repository.find(id, manager);
      await this.repository.set(manager, id, { shared });
      if (!shared) await this.withdraw(manager, id);
      await this.eventLog.record(manager, scope, "flow_shared", { id, name, shared });
    });
    return { success: true };
  }

  @Handle(toggleFlow)
  async toggle(
    { id, active }: In<typeof toggleFlow>,
    { scope }: RequestContext,
  ): Promise<Out<typeof toggleFlow>> {
    const row = await this.dataSource.transaction(async (manager) => {
      const found = await this.repository.find(id, manager);
      await this.repository.set(manager, id, { active });
      if (!active) await this.withdraw(manager, id);
      await this.eventLog.record(manager, scope, "flow_toggled", { id, name: found.name, active });
      return found;
    });
    return this.describe({ ...row, active });
  }

  @Handle(deleteFlow)
  async delete(
    { id }: In<typeof deleteFlow>,
    { scope }: RequestContext,
  ): Promise<Out<typeof deleteFlow>> {
    await this.dataSource.transaction(async (manager) => {
      const { name } = await this.repository.find(id, manager);
      await this.repository.delete(manager, id);
      await this.credentials.deleteOf(manager, { kind: "flow", id });
      await this.withdraw(manager, id);
      await this.eventLog.record(manager, scope, "flow_deleted", { id, name });
    });
    return { success: true };
  }

  @Handle(listFlowVersions)
  async listVersions({ id }: In<typeof listFlowVersions>): Promise<Out<typeof listFlowVersions>> {
    const versions = await this.repository.listVersions(id);
    if (versions.length === 0) throw new CarrelError("flow.not-found");
    return { versions };
  }

  @Handle(getFlowVersion)
  getVersion({ id, version }: In<typeof getFlowVersion>): Promise<Out<typeof getFlowVersion>> {
    return this.repository.findVersion(id, version);
  }

  /** Existing clients expect each active flow to be everyone's tool. */
  @Handle(saveLegacyFlow)
  async saveLegacy(
    { name, config, uuid: given }: In<typeof saveLegacyFlow>,
    { scope }: RequestContext,
  ): Promise<Out<typeof saveLegacyFlow>> {
    if (given && !uuid.safeParse(given).success) throw new CarrelError("flow.id-invalid");
    const id = given ? given.toLowerCase() : randomUUID();
    const flow = readLegacyFlow(name, config);
    const { userId } = scope.principal;
    await this.dataSource.transaction(async (manager) => {
      const row = await this.repository.findIfAny(id, manager);
      if (row !== null && hasOwnBlocks(row.steps)) throw new CarrelError("flow.needs-own-builder");
      if (needsProof(scope.principal, row?.steps ?? [], flow.steps))
        throw new CarrelError("flow.proof-due");
      if (row === null) await this.repository.add(manager, { ...flow, id, shared: true }, userId);
      else await this.repository.update(manager, row, flow, userId);
      if (!flow.active) await this.withdraw(manager, id);
      const event = row === null ? "flow_created" : "flow_updated";
      await this.eventLog.record(manager, scope, event, { id, name: flow.name });
    });
    return { success: true, flow: { success: true, uuid: id } };
  }

  private withdraw(manager: EntityManager, flowId: string): Promise<void> {
    return this.outbox.add(manager, eventMessage(flowWithdrawn, { flowId }));
  }

  private async describe(row: FlowRow): Promise<FlowWire> {
    return {
      ...summarize(row, await this.repository.loadReached([row])),
      steps: row.steps,
    };
  }
}

function summarize(row: FlowRow, found: Found): FlowSummary {
  const { id, name, description, active, shared, version, steps, updatedAt } = row;
  return {
    id,
    name,
    description,
    active,
    shared,
    version,
    updatedAt: updatedAt.toISOString(),
    stepCount: listFlowSteps(steps).length,
    hasOwnBlocks: hasOwnBlocks(steps),
    sends: readReach(steps, (flow) => found.get(flow)?.steps ?? null).effect === "send",
  };
}
