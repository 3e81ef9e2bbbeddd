import { randomUUID } from "node:crypto";
import type { Fault } from "@carrel/contracts";
import { Outbox } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { DataSource, In, IsNull, type EntityManager } from "typeorm";
import { ConnectionRun } from "./connection-run.entity.ts";
import type { Connection } from "./connection.entity.ts";
import { runJob } from "./run-job.ts";

/** Maximum runs resumed in one round. */
const maxDue = 1_000;
/** So many of all, and of those that changed something: most syncs of a watched source don't. */
const keptRuns = 20;
const newestRuns = (condition: string): string =>
  `(SELECT id FROM connectors.connection_run WHERE connection_id = $1 AND ${condition}
  ORDER BY created_at DESC LIMIT $2)`;
const changedSomething =
  "(state <> 'finished' OR fault IS NOT NULL OR fetched + failed + removed > 0)";

@Injectable()
export class RunRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: Outbox,
  ) {}

  /** The connection's open run, or a new one whose first turn is due. */
  async start(
    manager: EntityManager,
    connection: Pick<Connection, "id" | "mark">,
    startedBy: number | null,
    isRetry = false,
  ): Promise<{ run: ConnectionRun; isNew: boolean }> {
    const open = { connectionId: connection.id, endedAt: IsNull() };
    // Two requests at once start one run: the second waits for the first here.
    const [created] = await manager.query<{ id: string }[]>(
      `INSERT INTO connectors.connection_run (
        id, connection_id, state, since, started_by, is_retry, is_listed
      )
      VALUES ($1, $2, 'queued', $3, $4, $5, $5)
      ON CONFLICT (connection_id) WHERE ended_at IS NULL DO NOTHING RETURNING id`,
      [randomUUID(), connection.id, connection.mark, startedBy, isRetry],
    );
    const run = await manager.findOneByOrFail(ConnectionRun, open);
    if (created === undefined) return { run, isNew: false };
    await this.outbox.add(manager, runJob(run));
    await manager.query(
      `DELETE FROM connectors.connection_run WHERE connection_id = $1 AND id NOT IN (
        ${newestRuns("true")} UNION ${newestRuns(changedSomething)}
      )`,
      [connection.id, keptRuns],
    );
    return { run, isNew: true };
  }

  find(id: string): Promise<ConnectionRun | null> {
    return this.dataSource.manager.findOneBy(ConnectionRun, { id });
  }

  findOpen(connectionId: string): Promise<ConnectionRun | null> {
    return this.dataSource.manager.findOneBy(ConnectionRun, { connectionId, endedAt: IsNull() });
  }

  /** Counts the turn; null if it is no longer due. */
  async beginTurn(id: string, turn: number): Promise<ConnectionRun | null> {
    const { affected } = await this.dataSource.manager.update(
      ConnectionRun,
      { id, turn, state: In(["queued", "running"]) },
      {
        state: "running",
        startedAt: () => "coalesce(started_at, now())",
        lostTurns: () => "lost_turns + 1",
        waitsUntil: null,
      },
    );
    return affected === 0 ? null : this.find(id);
  }

  /** Ends a turn, and starts the next after `delayMs`; says so and counts it if that is asked for. */
  async endTurn(
    run: ConnectionRun,
    delayMs: number,
    { isWaiting = false, isCounted = false } = {},
  ): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      const { affected } = await manager.update(
        ConnectionRun,
        { id: run.id, turn: run.turn, endedAt: IsNull() },
        {
          turn: run.turn + 1,
          lostTurns: 0,
          ...(isWaiting && { waitsUntil: new Date(Date.now() + delayMs) }),
          ...(isCounted && { waits: () => "waits + 1" }),
        },
      );
      if (affected === 0) return;
      const current = await manager.findOneByOrFail(ConnectionRun, { id: run.id });
      if (current.state === "running") await this.outbox.add(manager, runJob(current, delayMs));
    });
  }

  /** Starts a turn in place of one whose job was lost. */
  async replaceTurn({ id, turn }: ConnectionRun): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      await manager.update(ConnectionRun, { id, turn }, { turn: turn + 1 });
      const current = await manager.findOneByOrFail(ConnectionRun, { id });
      await this.outbox.add(manager, runJob(current, 1_000));
    });
  }

  /** Begins the listing again, with everything instead of changes. */
  async listWhole(id: string): Promise<void> {
    await this.dataSource.manager.update(
      ConnectionRun,
      { id, endedAt: IsNull() },
      { since: null, cursor: null },
    );
  }

  /** A turn that will be repeated doesn't count as lost. */
  async giveUpTurn({ id, turn }: ConnectionRun): Promise<void> {
    await this.dataSource.manager.update(ConnectionRun, { id, turn }, { lostTurns: 0 });
  }

  /** Whether the run before this one found nothing either, in a source that had something. */
  async repeatsNothingFound({ id, connectionId }: ConnectionRun): Promise<boolean> {
    const [before] = await this.dataSource.query<{ is_repeated: boolean }[]>(
      `SELECT fault->>'code' = 'source.nothing-found' AND EXISTS (
        SELECT FROM connectors.source_item WHERE connection_id = $1
      ) AS is_repeated
      FROM connectors.connection_run WHERE connection_id = $1 AND id <> $2
      ORDER BY created_at DESC LIMIT 1`,
      [connectionId, id],
    );
    return before?.is_repeated === true;
  }

  /** Pauses a run, or resumes it with a new turn; null if it isn't open. */
  async setPaused(connectionId: string, isPaused: boolean): Promise<ConnectionRun | null> {
    return this.dataSource.transaction(async (manager) => {
      const open = { connectionId, endedAt: IsNull() };
      if (isPaused) await manager.update(ConnectionRun, open, { state: "paused" });
      else {
        const { affected } = await manager.update(
          ConnectionRun,
          { ...open, state: "paused" as const },
          { state: "queued", turn: () => "turn + 1", waits: 0, waitsUntil: null },
        );
        const resumed = await manager.findOneBy(ConnectionRun, open);
        if (affected !== 0 && resumed !== null) await this.outbox.add(manager, runJob(resumed));
      }
      return manager.findOneBy(ConnectionRun, open);
    });
  }

  /** Ends a run unless it has ended; returns whether it did. */
  async end(
    manager: EntityManager,
    id: string,
    state: "cancelled" | "finished" | "failed",
    fault: Fault | null = null,
  ): Promise<boolean> {
    const { affected } = await manager.update(
      ConnectionRun,
      { id, endedAt: IsNull() },
      { state, fault: fault as object | null, endedAt: () => "now()", waitsUntil: null },
    );
    return affected !== 0;
  }

  /** Open runs whose turn may have been lost; those that wait are queued with their delay. */
  listDue(): Promise<ConnectionRun[]> {
    return this.dataSource.manager.find(ConnectionRun, {
      where: { state: In(["queued", "running"]) },
      order: { createdAt: "ASC" },
      take: maxDue,
    });
  }
}
