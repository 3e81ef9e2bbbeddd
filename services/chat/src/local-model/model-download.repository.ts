import type { FaultWire, localModelDownloadStates } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { DataSource, QueryFailedError, type EntityManager } from "typeorm";
import { queryRows } from "../database/query-rows.ts";

/** A replica that hasn't renewed its lease for this long loses the download. */
export const leaseSeconds = 10;
const lease = `now() + interval '${leaseSeconds} seconds'`;

export interface ModelDownloadRow {
  model: string;
  state: (typeof localModelDownloadStates)[number];
  doneBytes: number;
  totalBytes: number;
  useWhenReady: boolean;
  fault: FaultWire | null;
}

const columns = `model, state, done_bytes::float8 AS "doneBytes",
  total_bytes::float8 AS "totalBytes", use_when_ready AS "useWhenReady", fault`;

const isTaken = (error: unknown): boolean =>
  error instanceof QueryFailedError && (error.driverError as { code?: unknown }).code === "23505";

@Injectable()
export class ModelDownloadRepository {
  constructor(private readonly dataSource: DataSource) {}

  list(): Promise<ModelDownloadRow[]> {
    return queryRows(
      this.dataSource,
      `SELECT ${columns} FROM chat.model_download ORDER BY created_at`,
    );
  }

  /**
   * Starts a download, or a failed one again; a running one only takes over `useWhenReady`. False
   * while another model's is running.
   */
  async start(
    manager: EntityManager,
    download: Pick<ModelDownloadRow, "model" | "totalBytes" | "useWhenReady">,
  ): Promise<boolean> {
    try {
      await manager.query(
        `INSERT INTO chat.model_download AS download (model, state, total_bytes, use_when_ready)
        VALUES ($1, 'waiting', $2, $3)
        ON CONFLICT (model) DO UPDATE SET
          state = CASE download.state WHEN 'failed' THEN 'waiting' ELSE download.state END,
          use_when_ready = excluded.use_when_ready,
          fault = NULL`,
        [download.model, download.totalBytes, download.useWhenReady],
      );
      return true;
    } catch (error) {
      if (isTaken(error)) return false;
      throw error;
    }
  }

  /** The download that no living replica has. */
  async claim(owner: string): Promise<ModelDownloadRow | null> {
    const [row] = await queryRows<ModelDownloadRow>(
      this.dataSource,
      `UPDATE chat.model_download SET lease_owner = $1, lease_until = ${lease}
      WHERE state <> 'failed' AND (lease_until IS NULL OR lease_until < now())
      RETURNING ${columns}`,
      [owner],
    );
    return row ?? null;
  }

  /** Saves the progress and renews the lease; false if it was lost, or the download cancelled. */
  async renew(
    owner: string,
    { model, state, doneBytes, totalBytes }: Omit<ModelDownloadRow, "useWhenReady" | "fault">,
  ): Promise<boolean> {
    const rows = await queryRows(
      this.dataSource,
      `UPDATE chat.model_download
      SET state = $3, done_bytes = $4, total_bytes = $5, lease_until = ${lease}
      WHERE model = $1 AND lease_owner = $2 RETURNING model`,
      [model, owner, state, doneBytes, totalBytes],
    );
    return rows.length > 0;
  }

  /** So that another replica, or the next process, continues at once. */
  async release(owner: string): Promise<void> {
    await this.dataSource.query(
      `UPDATE chat.model_download SET lease_owner = NULL, lease_until = NULL
      WHERE lease_owner = $1`,
      [owner],
    );
  }

  async fail(owner: string, model: string, fault: FaultWire): Promise<boolean> {
    const rows = await queryRows(
      this.dataSource,
      `UPDATE chat.model_download
      SET state = 'failed', fault = $3, lease_owner = NULL, lease_until = NULL
      WHERE model = $1 AND lease_owner = $2 RETURNING model`,
      [model, owner, JSON.stringify(fault)],
    );
    return rows.length > 0;
  }

  /** Whether this replica still had it; null otherwise. */
  async finish(
    owner: string,
    model: string,
  ): Promise<Pick<ModelDownloadRow, "useWhenReady"> | null> {
    const [row] = await queryRows<Pick<ModelDownloadRow, "useWhenReady">>(
      this.dataSource,
      `DELETE FROM chat.model_download WHERE model = $1 AND lease_owner = $2
      RETURNING use_when_ready AS "useWhenReady"`,
      [model, owner],
    );
    return row ?? null;
  }

  async delete(model: string): Promise<void> {
    await this.dataSource.query("DELETE FROM chat.model_download WHERE model = $1", [model]);
  }
}
