import {
  CarrelError,
  type AdvanceApproval,
  type FlowTriggerKind,
  type FlowTriggerWire,
  type Principal,
} from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";
import { queryRows } from "../database/query-rows.ts";

export interface FlowTrigger {
  id: string;
  flowId: string;
  kind: FlowTriggerKind;
  /** null: the one person of an instance without accounts. */
  ownerId: number | null;
  workspaceId: number | null;
  approvals: AdvanceApproval[];
  /** Of a webhook. */
  sealedSecret: string | null;
  createdAt: Date;
}

const columns = `id, flow_id AS "flowId", kind, user_id AS "ownerId",
  workspace_id AS "workspaceId", approvals, sealed_secret AS "sealedSecret",
  created_at AS "createdAt"`;

/** Whether a key may start and read what happens in this workspace, or in none. */
export const isOfKey = (
  { workspaceIds }: Pick<Principal, "workspaceIds">,
  workspaceId: number | null,
): boolean =>
  workspaceIds === undefined || (workspaceId !== null && workspaceIds.includes(workspaceId));

/** What can start flows without a person. */
@Injectable()
export class FlowTriggerRepository {
  constructor(private readonly dataSource: DataSource) {}

  list(flowId: string): Promise<FlowTrigger[]> {
    return queryRows(
      this.dataSource,
      `SELECT ${columns} FROM chat.flow_trigger WHERE flow_id = $1 ORDER BY kind`,
      [flowId],
    );
  }

  async find(id: string): Promise<FlowTrigger | null> {
    const [row] = await queryRows<FlowTrigger>(
      this.dataSource,
      `SELECT ${columns} FROM chat.flow_trigger WHERE id = $1`,
      [id],
    );
    return row ?? null;
  }

  /** Throws `flow.trigger-not-found`. */
  async require(flowId: string, kind: FlowTriggerKind): Promise<FlowTrigger> {
    const row = (await this.list(flowId)).find((each) => each.kind === kind);
    if (row === undefined) throw new CarrelError("flow.trigger-not-found");
    return row;
  }

  /** The trigger with which a key starts the flow. Throws `flow.trigger-not-found`. */
  async requireForKey(flowId: string, key: Principal): Promise<FlowTrigger> {
    const trigger = await this.require(flowId, "api");
    if (!isOfKey(key, trigger.workspaceId)) throw new CarrelError("flow.trigger-not-found");
    return trigger;
  }

  /** The flows that a key may start. */
  async listFlowIds(key: Principal): Promise<ReadonlySet<string>> {
    const rows = await queryRows<Pick<FlowTrigger, "flowId" | "workspaceId">>(
      this.dataSource,
      `SELECT flow_id AS "flowId", workspace_id AS "workspaceId" FROM chat.flow_trigger
      WHERE kind = 'api'`,
    );
    const own = rows.filter(({ workspaceId }) => isOfKey(key, workspaceId));
    return new Set(own.map(({ flowId }) => flowId));
  }

  /** Keeps the ID and the secret of one that is already there. */
  async set(manager: EntityManager, trigger: Omit<FlowTrigger, "createdAt">): Promise<FlowTrigger> {
    const [row] = await queryRows<FlowTrigger>(
      manager,
      `INSERT INTO chat.flow_trigger (
        id, flow_id, kind, user_id, workspace_id, approvals, sealed_secret
      ) VALUES ($1, $2, $3, $4, $5, $6, $7)
      ON CONFLICT (flow_id, kind) DO UPDATE SET user_id = excluded.user_id,
        workspace_id = excluded.workspace_id, approvals = excluded.approvals
      RETURNING ${columns}`,
      [
        trigger.id,
        trigger.flowId,
        trigger.kind,
        trigger.ownerId,
        trigger.workspaceId,
        JSON.stringify(trigger.approvals),
        trigger.sealedSecret,
      ],
    );
    return row!;
  }

  async setSecret(manager: EntityManager, id: string, sealed: string): Promise<void> {
    await manager.query("UPDATE chat.flow_trigger SET sealed_secret = $2 WHERE id = $1", [
      id,
      sealed,
    ]);
  }

  /** False if there was none. */
  async delete(manager: EntityManager, flowId: string, kind: FlowTriggerKind): Promise<boolean> {
    const rows = await queryRows(
      manager,
      "DELETE FROM chat.flow_trigger WHERE flow_id = $1 AND kind = $2 RETURNING id",
      [flowId, kind],
    );
    return rows.length > 0;
  }
}

export const showTrigger = (
  { id, kind, workspaceId, approvals, createdAt }: FlowTrigger,
  owner: FlowTriggerWire["owner"],
): FlowTriggerWire => ({
  id,
  kind,
  owner,
  workspaceId,
  approvals,
  path: kind === "webhook" ? `/api/flow-hooks/${id}` : null,
  createdAt: createdAt.toISOString(),
});
