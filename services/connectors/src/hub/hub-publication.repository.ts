import type { PublishedType } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { DataSource } from "typeorm";

/** The item of a hub that a prompt, command or flow was published as. */
@Injectable()
export class HubPublicationRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** The item's ID. */
  async find(hub: string, type: PublishedType, source: string): Promise<string | null> {
    const [row] = await this.dataSource.query<{ itemId: string }[]>(
      `SELECT item_id AS "itemId" FROM connectors.hub_publication
      WHERE hub = $1 AND item_type = $2 AND source = $3`,
      [hub, type, source],
    );
    return row?.itemId ?? null;
  }

  /** From now on, the item belongs to this source only, and the source to this item. */
  async save(hub: string, type: PublishedType, source: string, itemId: string): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      await manager.query(
        `DELETE FROM connectors.hub_publication
        WHERE hub = $1 AND item_type = $2 AND source = $3 AND item_id <> $4`,
        [hub, type, source, itemId],
      );
      await manager.query(
        `INSERT INTO connectors.hub_publication (hub, item_type, source, item_id)
        VALUES ($1, $2, $3, $4)
        ON CONFLICT (hub, item_type, item_id) DO UPDATE SET source = $3`,
        [hub, type, source, itemId],
      );
    });
  }
}
