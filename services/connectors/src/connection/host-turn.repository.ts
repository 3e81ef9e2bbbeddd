import { setTimeout } from "node:timers/promises";
import { Injectable } from "@nestjs/common";
import { DataSource } from "typeorm";

/** Whoever would have to wait longer does something else meanwhile. */
const longestWaitMs = 15_000;

/** Keeps the pauses that a host asks for, between all sources and processes that read from it. */
@Injectable()
export class HostTurnRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Waits until the host may be asked, and reserves that moment. If it is too far away, reserves
   * nothing and returns in how many ms it is; otherwise null.
   */
  async take(host: string, pauseMs: number, signal: AbortSignal): Promise<number | null> {
    const [taken] = await this.dataSource.query<{ wait: number }[]>(
      `INSERT INTO connectors.host_turn AS t (host, next_at)
      VALUES ($1, now() + $2 * interval '1 millisecond')
      ON CONFLICT (host) DO UPDATE
      SET next_at = greatest(t.next_at, now()) + $2 * interval '1 millisecond'
      WHERE t.next_at <= now() + $3 * interval '1 millisecond'
      RETURNING (extract(epoch FROM next_at - now()) * 1000 - $2)::float AS wait`,
      [host, pauseMs, longestWaitMs],
    );
    if (taken !== undefined) {
      await setTimeout(Math.max(0, taken.wait), undefined, { signal });
      return null;
    }
    const [next] = await this.dataSource.query<{ wait: number }[]>(
      `SELECT (extract(epoch FROM next_at - now()) * 1000)::float AS wait
      FROM connectors.host_turn WHERE host = $1`,
      [host],
    );
    return Math.max(0, next?.wait ?? 0);
  }
}
