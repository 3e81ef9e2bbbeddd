import type { Fault } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { DataSource } from "typeorm";
import type { AccessList } from "../connector/connector.ts";
import { Connection } from "./connection.entity.ts";
import { unsettled } from "./item-outcome.ts";

/** An item that is a document, with who may see it. */
export interface AccessItem {
  key: string;
  item: unknown;
  documentId: string;
  access: AccessList | null;
  audience: string | null;
}

/** A check that a process has begun. */
export interface ClaimedCheck {
  connection: Connection;
  version: number;
  /** A source that fails is asked less often than people are matched. */
  mayAsk: boolean;
}

const hourSeconds = 3_600;
/** Renewed while a check goes on, however long that takes. */
const leaseSeconds = 120;
const longestWaitSeconds = 24 * hourSeconds;

/** When connections are checked for who may see their items, and what came of it. */
@Injectable()
export class AccessRepository {
  constructor(private readonly dataSource: DataSource) {}

  listDue(): Promise<Pick<Connection, "id" | "accessVersion">[]> {
    return this.dataSource.query(
      `SELECT id, access_version AS "accessVersion" FROM connectors.connection
      WHERE access_due_at <= now()
        AND (access_lease_until IS NULL OR access_lease_until <= now())
      ORDER BY access_due_at LIMIT 500`,
    );
  }

  /**
   * Takes a check, which nobody else does before its lease ends, and plans the next one; null if it
   * isn't due.
   */
  async claim(id: string, version: number): Promise<ClaimedCheck | null> {
    const [rows] = await this.dataSource.query<[{ mayAsk: boolean }[], number]>(
      `UPDATE connectors.connection SET access_version = access_version + 1,
        access_due_at = now() + $3 * interval '1 second',
        access_lease_until = now() + $4 * interval '1 second'
      WHERE id = $1 AND access_version = $2 AND access_due_at <= now()
        AND (access_lease_until IS NULL OR access_lease_until <= now())
      RETURNING access_ask_at IS NULL OR access_ask_at <= now() AS "mayAsk"`,
      [id, version, hourSeconds, leaseSeconds],
    );
    if (rows[0] === undefined) return null;
    const connection = await this.dataSource.manager.findOneBy(Connection, { id });
    return connection && { connection, version: version + 1, mayAsk: rows[0].mayAsk };
  }

  /** Extends the lease; false if another check has begun meanwhile. */
  async renew({ connection: { id }, version }: ClaimedCheck): Promise<boolean> {
    const [rows] = await this.dataSource.query<[unknown[], number]>(
      `UPDATE connectors.connection SET access_lease_until = now() + $3 * interval '1 second'
      WHERE id = $1 AND access_version = $2 RETURNING 1`,
      [id, version, leaseSeconds],
    );
    return rows.length === 1;
  }

  /**
   * A source is asked again later after each failure in a row; nothing is checked any more if
   * permissions aren't mirrored. `fault`: undefined if the source wasn't asked.
   */
  async finish(
    { connection: { id }, version }: ClaimedCheck,
    fault: Fault | null | undefined,
    waitSeconds = hourSeconds,
  ): Promise<void> {
    if (fault !== undefined)
      await this.dataSource.query(
        `UPDATE connectors.connection SET
          access_fault = $3,
          access_checked_at = CASE WHEN $3::jsonb IS NULL THEN now() ELSE access_checked_at END,
          access_failures = CASE WHEN $3::jsonb IS NULL THEN 0 ELSE access_failures + 1 END,
          access_ask_at = CASE
            WHEN $3::jsonb IS NOT NULL
              THEN now() + least($4 * power(2, least(access_failures, 10)), $5) * interval '1 second'
          END
        WHERE id = $1 AND access_version = $2`,
        [id, version, fault && JSON.stringify(fault), waitSeconds, longestWaitSeconds],
      );
    await this.dataSource.query(
      `UPDATE connectors.connection c SET
        access_lease_until = NULL,
        access_due_at = CASE
          WHEN NOT mirror_permissions THEN NULL
          WHEN EXISTS (
            SELECT FROM connectors.source_item
            WHERE connection_id = c.id AND audience = '${unsettled}'
          ) THEN least(access_due_at, now() + interval '1 minute')
          ELSE least(access_due_at, access_ask_at)
        END
      WHERE id = $1 AND access_version = $2`,
      [id, version],
    );
  }

  /** What the source said couldn't be applied here. */
  async retrySoon({ connection: { id }, version }: ClaimedCheck): Promise<void> {
    await this.dataSource.query(
      `UPDATE connectors.connection SET
        access_lease_until = NULL, access_due_at = now() + interval '1 minute'
      WHERE id = $1 AND access_version = $2`,
      [id, version],
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

  /**
   * Notes what the source says now of items that are still the same documents. Leaves out those that
   * an import has changed meanwhile, because it may have been told later.
   */
  async saveLists(
    connectionId: string,
    lists: {
      key: string;
      documentId: string;
      access: AccessList;
      /** What was recorded before the source was asked. */
      known: AccessList | null;
    }[],
  ): Promise<void> {
    await this.dataSource.query(
      `UPDATE connectors.source_item i SET access = r.access
      FROM jsonb_to_recordset($2::jsonb) AS r(
        key text, "documentId" uuid, access jsonb, known jsonb
      )
      WHERE i.connection_id = $1 AND i.key = r.key AND i.document_id = r."documentId"
        AND i.access IS NOT DISTINCT FROM r.known`,
      [connectionId, JSON.stringify(lists)],
    );
  }

  /**
   * Notes which readers ingest was told of. If an import has told it of others meanwhile, nobody
   * knows who was last, so it is told again.
   */
  async saveAudience(
    connectionId: string,
    items: readonly AccessItem[],
    audience: string | null,
  ): Promise<void> {
    await this.dataSource.query(
      `UPDATE connectors.source_item i SET audience = CASE
          WHEN i.access IS NOT DISTINCT FROM r.access AND i.audience IS NOT DISTINCT FROM r.audience
            THEN $3
          ELSE '${unsettled}'
        END
      FROM jsonb_to_recordset($2::jsonb) AS r(
        key text, "documentId" uuid, access jsonb, audience text
      )
      WHERE i.connection_id = $1 AND i.key = r.key AND i.document_id = r."documentId"
        AND i.audience IS DISTINCT FROM $3`,
      [connectionId, JSON.stringify(items.map(({ item: _, ...known }) => known)), audience],
    );
  }
}
