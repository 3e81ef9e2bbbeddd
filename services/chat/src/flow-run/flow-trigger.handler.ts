import { randomUUID } from "node:crypto";
import {
  CarrelError,
  deleteFlowTrigger,
  findWorkspaces,
  listFlowTriggers,
  rotateFlowHookSecret,
  setFlowTrigger,
  startFlowRunByKey,
  type In,
  type Out,
} from "@carrel/contracts";
import { SecretBox } from "@carrel/database";
import { Handle, keyed, RequestClient, type RequestContext } from "@carrel/messaging";
import { Controller } from "@nestjs/common";
import { DataSource } from "typeorm";
import { EventLog } from "../event-log/event-log.module.ts";
import { FlowRepository } from "../flow/flow.repository.ts";
import { createSigningSecret } from "../schedule/schedule-signature.ts";
import { FlowRuns } from "./flow-runs.ts";
import { FlowTriggerRepository, showTrigger } from "./flow-trigger.repository.ts";
import { nameOwners } from "./owner-names.ts";

/** What admins let start flows, and the developer API, which starts them. */
@Controller()
export class FlowTriggerHandler {
  constructor(
    private readonly dataSource: DataSource,
    private readonly triggers: FlowTriggerRepository,
    private readonly flows: FlowRepository,
    private readonly flowRuns: FlowRuns,
    private readonly requests: RequestClient,
    private readonly eventLog: EventLog,
    private readonly box: SecretBox,
  ) {}

  @Handle(listFlowTriggers)
  async list({ id }: In<typeof listFlowTriggers>): Promise<Out<typeof listFlowTriggers>> {
    await this.flows.find(id);
    const triggers = await this.triggers.list(id);
    const ownerOf = await nameOwners(
      this.requests,
      triggers.map(({ ownerId }) => ownerId),
    );
    return { triggers: triggers.map((each) => showTrigger(each, ownerOf(each.ownerId))) };
  }

  @Handle(setFlowTrigger)
  async set(
    { id: flowId, kind, workspaceId, approvals }: In<typeof setFlowTrigger>,
    ctx: RequestContext,
  ): Promise<Out<typeof setFlowTrigger>> {
    const { scope } = ctx;
    await this.flows.find(flowId);
    if (workspaceId !== null) {
      const asked = { scope: { principal: scope.principal, workspace: null } };
      const { workspaces } = await this.requests.request(
        findWorkspaces,
        { ids: [workspaceId] },
        asked,
      );
      if (workspaces.length === 0) throw new CarrelError("owner.workspace-missing");
    }
    const { userId } = scope.principal;
    const ownerOf = await nameOwners(this.requests, [userId]);
    return keyed(
      this.dataSource,
      ctx,
      async (manager) => {
        const id = randomUUID();
        const secret = kind === "webhook" ? createSigningSecret() : null;
        const trigger = await this.triggers.set(manager, {
          id,
          flowId,
          kind,
          ownerId: userId,
          workspaceId,
          approvals,
          sealedSecret: secret === null ? null : this.box.seal(secret),
        });
        const metadata = { flowId, kind, workspaceId, approvals };
        await this.eventLog.record(manager, scope, "flow_trigger_set", metadata);
        return {
          trigger: showTrigger(trigger, ownerOf(userId)),
          secret: trigger.id === id ? secret : null,
        };
      },
      this.box,
    );
  }

  @Handle(rotateFlowHookSecret)
  async rotate(
    { id: flowId }: In<typeof rotateFlowHookSecret>,
    ctx: RequestContext,
  ): Promise<Out<typeof rotateFlowHookSecret>> {
    const { id } = await this.triggers.require(flowId, "webhook");
    return keyed(
      this.dataSource,
      ctx,
      async (manager) => {
        const secret = createSigningSecret();
        await this.triggers.setSecret(manager, id, this.box.seal(secret));
        await this.eventLog.record(manager, ctx.scope, "flow_hook_secret_replaced", { flowId });
        return { secret };
      },
      this.box,
    );
  }

  @Handle(deleteFlowTrigger)
  async delete(
    { id: flowId, kind }: In<typeof deleteFlowTrigger>,
    { scope }: RequestContext,
  ): Promise<Out<typeof deleteFlowTrigger>> {
    await this.flows.find(flowId);
    await this.dataSource.transaction(async (manager) => {
      if (await this.triggers.delete(manager, flowId, kind))
        await this.eventLog.record(manager, scope, "flow_trigger_deleted", { flowId, kind });
    });
    return { success: true };
  }

  @Handle(startFlowRunByKey)
  async startByKey(
    { id: flowId, inputs }: In<typeof startFlowRunByKey>,
    ctx: RequestContext,
  ): Promise<Out<typeof startFlowRunByKey>> {
    const { principal } = ctx.scope;
    const { ownerId, workspaceId, approvals } = await this.triggers.requireForKey(
      flowId,
      principal,
    );
    return keyed(this.dataSource, ctx, async (manager) => {
      const id = randomUUID();
      await this.flowRuns.start(manager, {
        id,
        flowId,
        inputs,
        trigger: "api",
        ownerId,
        workspaceId,
        approvals,
      });
      return { id };
    });
  }
}
