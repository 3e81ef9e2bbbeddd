import type { KnownFault, Scope } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";
import type { SearchIndex } from "./search-index.ts";

/** Longer than one call to a slow embedder; renewed after each document. */
const leaseMs = 180_000;

/** How a job's turn at a build ended. `retryMs` null: no automatic retry. */
export interface TurnOutcome {
  state: SearchIndex["state"];
  fault: KnownFault | null;
  retryMs: number | null;
}

/** Index builds: which job holds one, its progress, and when it may continue. */
@Injectable()
export class IndexBuildRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Claims a build for one job; false if another job holds it, took it over, or the build was
   * cancelled. `isRedelivery`: an earlier attempt of this very job has ended, so its lease no
   * longer counts.
   */
  async claim(_scope: Scope, id: string, version: number, isRedelivery: boolean): Promise<boolean> {
    const rows = await this.dataSource.query<[unknown[], number]>(
      `UPDATE ingest.search_index SET lease_until = now() + $3 * interval '1 millisecond',
        state = 'running', fault = NULL, message = NULL, retry_at = NULL
      WHERE id = $1
        AND version = $2
        AND role = 'building'
        AND ($4 OR lease_until IS NULL OR lease_until < now())
      RETURNING 1`,
      [id, version, leaseMs, isRedelivery],
    );
    return rows[0].length > 0;
  }

  /** Records progress and renews the lease; false if this job no longer owns the build. */
  async noteBuilt(
    _scope: Scope,
    id: string,
    version: number,
    o: { chunks: number; ms: number },
  ): Promise<boolean> {
    const rows = await this.dataSource.query<[unknown[], number]>(
      `UPDATE ingest.search_index SET chunks_built = chunks_built + $3, busy_ms = busy_ms + $4,
        lease_until = now() + $5 * interval '1 millisecond'
      WHERE id = $1 AND version = $2 AND role = 'building'
      RETURNING 1`,
      [id, version, o.chunks, Math.round(o.ms), leaseMs],
    );
    return rows[0].length > 0;
  }

  /** Ends the job and increments the version for the next one. */
  async endTurn(
    _scope: Scope,
    manager: EntityManager,
    id: string,
    version: number,
    o: TurnOutcome,
  ): Promise<boolean> {
    const rows = await manager.query<[unknown[], number]>(
      `UPDATE ingest.search_index SET version = version + 1, lease_until = NULL, state = $3,
        fault = $4, message = NULL, retry_at = now() + $5 * interval '1 millisecond'
      WHERE id = $1 AND version = $2
      RETURNING 1`,
      [id, version, o.state, o.fault === null ? null : JSON.stringify(o.fault), o.retryMs],
    );
    return rows[0].length > 0;
  }

  /** The job of a cancelled build has ended, so its storage may be freed. */
  async release(_scope: Scope, id: string): Promise<void> {
    await this.dataSource.query(
      `UPDATE ingest.search_index SET lease_until = NULL WHERE id = $1 AND role = 'dropped'`,
      [id],
    );
  }

  /** Retries a failed or waiting build immediately. */
  async wake(_scope: Scope, manager: EntityManager, id: string): Promise<void> {
    await manager.query(
      `UPDATE ingest.search_index SET version = version + 1, state = 'running', fault = NULL,
        message = NULL, retry_at = NULL
      WHERE id = $1 AND state <> 'running'`,
      [id],
    );
  }

  /** A build that no job holds and that may continue. */
  async findDue(_scope: Scope): Promise<{ id: string; version: number } | null> {
    const [row] = await this.dataSource.query<{ id: string; version: number }[]>(`SELECT id, version
      FROM ingest.search_index
      WHERE role = 'building'
        AND (lease_until IS NULL OR lease_until < now())
        AND (state = 'running' OR (state = 'waiting' AND retry_at < now()))`);
    return row ?? null;
  }
}
