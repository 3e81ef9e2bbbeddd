import { Injectable } from "@nestjs/common";
import { DataSource } from "typeorm";
import { WatchRepository } from "./watch.repository.ts";

/** How long a message is remembered, so that it isn't accepted again. */
const keptDays = 30;

/** Webhooks that sources have sent. */
@Injectable()
export class HookRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly watches: WatchRepository,
  ) {}

  async setSecret(watchId: number, sealed: string | null): Promise<void> {
    await this.dataSource.query(
      "UPDATE sync_worker.watch SET sealed_hook_secret = $2 WHERE id = $1",
      [watchId, sealed],
    );
  }

  /** Makes the source due, once for each message; returns whether this one is new. */
  receive(watchId: number, key: string): Promise<boolean> {
    return this.dataSource.transaction(async (manager) => {
      const [added] = await manager.query<unknown[]>(
        `INSERT INTO sync_worker.hook_delivery (watch_id, key) VALUES ($1, $2)
        ON CONFLICT DO NOTHING RETURNING 1`,
        [watchId, key],
      );
      if (added === undefined) return false;
      await this.watches.announce(watchId, manager);
      await manager.query(
        `DELETE FROM sync_worker.hook_delivery
        WHERE watch_id = $1 AND received_at < now() - $2 * interval '1 day'`,
        [watchId, keptDays],
      );
      return true;
    });
  }
}
