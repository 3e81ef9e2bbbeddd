import type { Fault } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { DataSource } from "typeorm";
import type { AccessList } from "../connector/connector.ts";
import { Connection } from "./connection.entity.ts";

/** An item that is a document, with who may see it. */
export interface AccessItem {
  key: string;
  item: unknown;
  documentId: string;
  access: AccessList | null;
  audience: string | null;
}

const hourSeconds = 3_600;
const longestWaitSeconds = 24 * hourSeconds;

/** When connections are checked for who may see their items, and what came of it. */
@Injectable()
export class AccessRepository {
  constructor(private readonly dataSource: DataSource) {}

  listDue(): Promise<Pick<Connection, "id" | "accessVersion">[]> {
    return this.dataSource.query(
      `SELECT id, access_version AS "accessVersion" FROM connectors.connection
      WHERE access_due_at <= now() ORDER BY access_due_at LIMIT 500`,
    );
  }

  /** Takes a check, and plans the next one in case this one is lost; null if it isn't due. */
  async claim(id: string, version: number): Promise<Connection | null> {
    const [rows] = await this.dataSource.query<[unknown[], number]>(
      `UPDATE connectors.connection SET access_version = access_version + 1,
        access_due_at = now() + $3 * interval '1 second'
      WHERE id = $1 AND access_version = $2 AND access_due_at <= now() RETURNING 1`,
      [id, version, hourSeconds],
    );
    return rows.length === 0 ? null : this.dataSource.manager.findOneBy(Connection, { id });
  }

  /** Later after each failure in a row; never again if permissions aren't mirrored any more. */
  async finish(id: string, fault: Fault | null, waitSeconds = hourSeconds): Promise<void> {
    await this.dataSource.query(
      `UPDATE connectors.connection SET
        access_fault = $2,
        access_checked_at = CASE WHEN $2::jsonb IS NULL THEN now() ELSE access_checked_at END,
        access_failures = CASE WHEN $2::jsonb IS NULL THEN 0 ELSE access_failures + 1 END,
        access_due_at = CASE
          WHEN NOT mirror_permissions THEN NULL
          WHEN $2::jsonb IS NULL THEN access_due_at
          ELSE now() + least($3 * power(2, least(access_failures, 10)), $4) * interval '1 second'
        END
      WHERE id = $1`,
      [id, fault === null ? null : JSON.stringify(fault), waitSeconds, longestWaitSeconds],
    );
  }

  /** What the source said couldn't be applied here. */
  async retrySoon(id: string): Promise<void> {
    await this.dataSource.query(
      `UPDATE connectors.connection SET access_due_at = now() + interval '1 minute' WHERE id = $1`,
      [id],
    );
  }

  listItems(connectionId: string, after: string, limit: number): Promise<AccessItem[]> {
    return this.dataSource.query(
      `SELECT key, item, document_id AS "documentId", access, audience
      FROM connectors.source_item
      WHERE connection_id = $1 AND key > $2 AND document_id IS NOT NULL
      ORDER BY key LIMIT $3`,
      [connectionId, after, limit],
    );
  }

  /** Notes what the source says now of items that are still the same documents. */
  async saveLists(
    connectionId: string,
    lists: { key: string; documentId: string; access: AccessList }[],
  ): Promise<void> {
    await this.dataSource.query(
      `UPDATE connectors.source_item i SET access = r.access
      FROM jsonb_to_recordset($2::jsonb) AS r(key text, "documentId" uuid, access jsonb)
      WHERE i.connection_id = $1 AND i.key = r.key AND i.document_id = r."documentId"`,
      [connectionId, JSON.stringify(lists)],
    );
  }

  /**
   * Notes which readers ingest was told of. Leaves out items that changed meanwhile, which are then
   * still due.
   */
  async saveAudience(
    connectionId: string,
    items: readonly AccessItem[],
    audience: string | null,
  ): Promise<void> {
    await this.dataSource.query(
      `UPDATE connectors.source_item i SET audience = $3
      FROM jsonb_to_recordset($2::jsonb) AS r(key text, "documentId" uuid, access jsonb)
      WHERE i.connection_id = $1 AND i.key = r.key AND i.document_id = r."documentId"
        AND i.access IS NOT DISTINCT FROM nullif(r.access, 'null'::jsonb)`,
      [
        connectionId,
        JSON.stringify(items.map(({ key, documentId, access }) => ({ key, documentId, access }))),
        audience,
      ],
    );
  }
}
