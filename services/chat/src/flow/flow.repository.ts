import {
  CarrelError,
  listFlowSteps,
  type FlowStep,
  type Out,
  type getFlowVersion,
  type listFlowVersions,
} from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";
import { queryRows } from "../database/query-rows.ts";

export interface FlowContent {
  name: string;
  description: string;
  steps: FlowStep[];
}

export interface FlowRow extends FlowContent {
  id: string;
  active: boolean;
  shared: boolean;
  version: number;
  updatedAt: Date;
}

const mostFlows = 500;
const keptVersions = 50;
const columns = `id, name, description, steps, active, shared, version, updated_at AS "updatedAt"`;

@Injectable()
export class FlowRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** By name. */
  list(): Promise<FlowRow[]> {
    return queryRows(this.dataSource, `SELECT ${columns} FROM chat.flow ORDER BY lower(name), id`);
  }

  /** Those that agents may call, oldest first, so that a new one doesn't rename others' tools. */
  listActive(onlyShared: boolean): Promise<FlowRow[]> {
    return queryRows(
      this.dataSource,
      `SELECT ${columns} FROM chat.flow f WHERE active AND (shared OR NOT $1)
      ORDER BY (SELECT min(saved_at) FROM chat.flow_version v WHERE v.flow_id = f.id), id`,
      [onlyShared],
    );
  }

  /** The flows that these run, and those that they run in turn, by ID. */
  async loadReached(
    from: readonly { steps: readonly FlowStep[] }[],
    on: DataSource | EntityManager = this.dataSource,
  ): Promise<ReadonlyMap<string, FlowRow>> {
    const found = new Map<string, FlowRow>();
    const asked = new Set<string>();
    let next: readonly { steps: readonly FlowStep[] }[] = from;
    for (;;) {
      const ids = next
        .flatMap(({ steps }) => listFlowSteps(steps))
        .flatMap((step) => (step.type === "carrel-flow" ? [step.config.flowId] : []))
        .filter((id) => !asked.has(id));
      if (ids.length === 0) return found;
      for (const id of ids) asked.add(id);
      const rows = await queryRows<FlowRow>(
        on,
        `SELECT ${columns} FROM chat.flow WHERE id::text = ANY($1::text[])`,
        [[...new Set(ids)]],
      );
      for (const row of rows) found.set(row.id, row);
      next = rows;
    }
  }

  /** Locks it within a transaction. Throws `flow.not-found`. */
  async find(id: string, manager?: EntityManager): Promise<FlowRow> {
    const row = await this.findIfAny(id, manager);
    if (row === null) throw new CarrelError("flow.not-found");
    return row;
  }

  /** Within a transaction, nobody else can add, change or delete it before its end. */
  async findIfAny(id: string, manager?: EntityManager): Promise<FlowRow | null> {
    if (manager === undefined) return this.read(this.dataSource, id);
    const lock = async () => {
      const [row] = await queryRows<FlowRow>(
        manager,
        `SELECT ${columns} FROM chat.flow WHERE id = $1 FOR UPDATE`,
        [id],
      );
      return row ?? null;
    };
    const row = await lock();
    if (row !== null) return row;
    await manager.query("SELECT pg_advisory_xact_lock(hashtext('flow'), hashtext($1))", [id]);
    return lock();
  }

  /** Within a transaction, it can't be deleted before its end. */
  async read(on: DataSource | EntityManager, id: string): Promise<FlowRow | null> {
    const [row] = await queryRows<FlowRow>(
      on,
      `SELECT ${columns} FROM chat.flow WHERE id = $1
      ${on === this.dataSource ? "" : "FOR KEY SHARE"}`,
      [id],
    );
    return row ?? null;
  }

  /** Throws `flow.too-many`. */
  async add(
    manager: EntityManager,
    flow: FlowContent & Pick<FlowRow, "id" | "active" | "shared">,
    savedBy: number | null,
  ): Promise<void> {
    const [{ count }] = (await queryRows<{ count: number }>(
      manager,
      "SELECT count(*)::int AS count FROM chat.flow",
    )) as [{ count: number }];
    if (count >= mostFlows) throw new CarrelError("flow.too-many", { limit: mostFlows });
    await manager.query(
      `INSERT INTO chat.flow (id, name, description, steps, active, shared)
      VALUES ($1, $2, $3, $4, $5, $6)`,
      [flow.id, flow.name, flow.description, JSON.stringify(flow.steps), flow.active, flow.shared],
    );
    await this.keepVersion(manager, flow.id, 1, flow, savedBy);
  }

  /** A row that the transaction has locked. Returns the new version. */
  async update(
    manager: EntityManager,
    { id, version }: Pick<FlowRow, "id" | "version">,
    flow: FlowContent & Pick<FlowRow, "active">,
    savedBy: number | null,
  ): Promise<number> {
    await manager.query(
      `UPDATE chat.flow SET name = $2, description = $3, steps = $4, active = $5,
        version = $6, updated_at = now()
      WHERE id = $1`,
      [id, flow.name, flow.description, JSON.stringify(flow.steps), flow.active, version + 1],
    );
    await this.keepVersion(manager, id, version + 1, flow, savedBy);
    return version + 1;
  }

  async set(
    manager: EntityManager,
    id: string,
    part: Partial<Pick<FlowRow, "active" | "shared">>,
  ): Promise<void> {
    await manager.query(
      `UPDATE chat.flow SET active = coalesce($2, active), shared = coalesce($3, shared)
      WHERE id = $1`,
      [id, part.active ?? null, part.shared ?? null],
    );
  }

  async delete(manager: EntityManager, id: string): Promise<void> {
    await manager.query("DELETE FROM chat.flow WHERE id = $1", [id]);
  }

  async listVersions(id: string): Promise<Out<typeof listFlowVersions>["versions"]> {
    const rows = await queryRows<{
      version: number;
      name: string;
      savedBy: number | null;
      savedAt: Date;
      stepCount: number;
    }>(
      this.dataSource,
      `SELECT version, name, saved_by AS "savedBy", saved_at AS "savedAt",
        step_count AS "stepCount"
      FROM chat.flow_version WHERE flow_id = $1 ORDER BY version DESC`,
      [id],
    );
    return rows.map((row) => ({ ...row, savedAt: row.savedAt.toISOString() }));
  }

  /** Throws `flow.version-not-found`. */
  async findVersion(id: string, version: number): Promise<Out<typeof getFlowVersion>> {
    const [row] = await queryRows<Out<typeof getFlowVersion>>(
      this.dataSource,
      `SELECT version, name, description, steps FROM chat.flow_version
      WHERE flow_id = $1 AND version = $2`,
      [id, version],
    );
    if (row === undefined) throw new CarrelError("flow.version-not-found");
    return row;
  }

  private async keepVersion(
    manager: EntityManager,
    id: string,
    version: number,
    { name, description, steps }: FlowContent,
    savedBy: number | null,
  ): Promise<void> {
    await manager.query(
      `INSERT INTO chat.flow_version (flow_id, version, name, description, steps, step_count, saved_by)
      VALUES ($1, $2, $3, $4, $5, $6, $7)`,
      [id, version, name, description, JSON.stringify(steps), listFlowSteps(steps).length, savedBy],
    );
    await manager.query("DELETE FROM chat.flow_version WHERE flow_id = $1 AND version <= $2", [
      id,
      version - keptVersions,
    ]);
  }
}
