import { Injectable } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";

/** Documents that no item stands for any more, until ingest has deleted them. */
@Injectable()
export class StaleRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Those of one connection, or of all, including removed ones. */
  async list(connectionId: string | null, limit: number): Promise<string[]> {
    const rows = await this.dataSource.query<{ id: string }[]>(
      `SELECT document_id AS id FROM connectors.stale_document
      WHERE $1::uuid IS NULL OR connection_id = $1 LIMIT $2`,
      [connectionId, limit],
    );
    return rows.map(({ id }) => id);
  }

  /** Documents of a connection that are kept although its source no longer has them, by id. */
  async listKept(connectionId: string, after: string | null, limit: number): Promise<string[]> {
    const rows = await this.dataSource.query<{ id: string }[]>(
      `SELECT document_id AS id FROM connectors.source_item
      WHERE connection_id = $1 AND state = 'gone' AND document_id IS NOT NULL
        AND ($2::uuid IS NULL OR document_id > $2)
      ORDER BY document_id LIMIT $3`,
      [connectionId, after, limit],
    );
    return rows.map(({ id }) => id);
  }

  async forget(documentIds: readonly string[]): Promise<void> {
    await this.dataSource.query(
      "DELETE FROM connectors.stale_document WHERE document_id = ANY($1)",
      [documentIds],
    );
  }

  /** A document whose item was removed, or fetched by another run, while it was registered. */
  async addUnlessUsed(connectionId: string, documentId: string): Promise<void> {
    await this.dataSource.query(
      `INSERT INTO connectors.stale_document (document_id, connection_id)
      SELECT $2, $1 WHERE NOT EXISTS (
        SELECT 1 FROM connectors.source_item WHERE connection_id = $1 AND document_id = $2
      )
      ON CONFLICT DO NOTHING`,
      [connectionId, documentId],
    );
  }

  /** All documents of a connection that is removed; returns how many they are. */
  async addAll(manager: EntityManager, connectionId: string): Promise<number> {
    const rows = await manager.query<unknown[]>(
      `WITH gone AS (
        DELETE FROM connectors.source_item WHERE connection_id = $1 RETURNING document_id
      )
      INSERT INTO connectors.stale_document (document_id, connection_id)
      SELECT document_id, $1 FROM gone WHERE document_id IS NOT NULL
      ON CONFLICT DO NOTHING RETURNING 1`,
      [connectionId],
    );
    return rows.length;
  }
}
