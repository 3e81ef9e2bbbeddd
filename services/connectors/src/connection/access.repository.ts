import { randomUUID } from "node:crypto";
import type { Fault } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { DataSource } from "typeorm";
import type { AccessList } from "../connector/connector.ts";
import { Connection } from "./connection.entity.ts";
import { unknownAudience } from "./item-access.ts";
import { writeJson } from "./item.repository.ts";
import type { SourceItem } from "./source-item.entity.ts";

/** An item that is a document, with who may see it. */
export interface AccessItem {
  key: string;
  item: unknown;
  documentId: string;
  access: AccessList | null;
  audience: string | null;
}

/** A check that is going on, for as long as no other one takes its place. */
export interface AccessCheck {
  connection: Connection;
  /** Whether the source may be asked, which it isn't for a while after it has failed. */
  mayAsk: boolean;
  version: number;
  /** When it counts as lost, as PostgreSQL writes it. */
  until: string;
}

export type AccessOutcome =
  | { kind: "checked" | "not-asked" }
  | { kind: "interrupted"; waitSeconds: number }
  /** `waitSeconds`: doubled with each failure in a row. */
  | { kind: "failed"; fault: Fault; waitSeconds?: number };

/** Another check has taken the place of this one. */
export class CheckLostError extends Error {
  override readonly name = "CheckLostError";
}

const hourSeconds = 3_600;
/** How long a source may refuse to tell before what it told counts no more. */
const longestRefusalSeconds = 24 * hourSeconds;
const longestWaitSeconds = 24 * hourSeconds;
/** Renewed with every page; a check that is killed is taken up again after it. */
const leaseSeconds = 600;
const soonSeconds = 60;
const renewed = `now() + ${leaseSeconds} * interval '1 second'`;
const isMine = "id = $1 AND access_version = $2 AND access_due_at = $3::timestamptz";

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

  /** Takes a check; null if it isn't due. */
  async claim(id: string, version: number): Promise<AccessCheck | null> {
    const [rows] = await this.dataSource.query<[Omit<AccessCheck, "connection">[], number]>(
      `UPDATE connectors.connection SET access_version = access_version + 1,
        access_due_at = ${renewed}
      WHERE id = $1 AND access_version = $2 AND access_due_at <= now()
      RETURNING access_version AS version, access_due_at::text AS until,
        access_ask_at IS NULL OR access_ask_at <= now() AS "mayAsk"`,
      [id, version],
    );
    const connection = await this.dataSource.manager.findOneBy(Connection, { id });
    return rows[0] === undefined || connection === null ? null : { ...rows[0], connection };
  }

  /** Keeps the check for longer; with `cursor`, the next one begins there if this one is lost. */
  async renew(check: AccessCheck, cursor?: string | null): Promise<void> {
    const [rows] = await this.dataSource.query<[{ until: string }[], number]>(
      `UPDATE connectors.connection SET access_due_at = ${renewed},
        access_cursor = CASE WHEN $5 THEN $4 ELSE access_cursor END
      WHERE ${isMine} RETURNING access_due_at::text AS until`,
      [check.connection.id, check.version, check.until, cursor ?? null, cursor !== undefined],
    );
    if (rows[0] === undefined) throw new CheckLostError();
    check.until = rows[0].until;
    if (cursor !== undefined) check.connection.accessCursor = cursor;
  }

  /**
   * Plans the next check: soon if some documents have to be told of again, and never again if
   * permissions aren't mirrored any more. The source is asked later after each failure in a row.
   */
  async finish(check: AccessCheck, outcome: AccessOutcome, isTold: boolean): Promise<void> {
    const isFailed = outcome.kind === "failed";
    await this.dataSource.query(
      `UPDATE connectors.connection SET
        access_fault = CASE $4::text
          WHEN 'checked' THEN NULL WHEN 'failed' THEN $5::jsonb ELSE access_fault
        END,
        access_checked_at = CASE $4 WHEN 'checked' THEN now() ELSE access_checked_at END,
        access_failures = CASE $4
          WHEN 'checked' THEN 0 WHEN 'failed' THEN access_failures + 1 ELSE access_failures
        END,
        access_refused_since = CASE $4 WHEN 'checked' THEN NULL ELSE access_refused_since END,
        access_ask_at = CASE $4
          WHEN 'not-asked' THEN access_ask_at
          WHEN 'failed' THEN least(
            now() + least($6 * power(2, least(access_failures, 10)), ${longestWaitSeconds})
              * interval '1 second',
            CASE WHEN access_refused_since + ${longestRefusalSeconds} * interval '1 second' > now()
              THEN access_refused_since + ${longestRefusalSeconds} * interval '1 second' END
          )
        END,
        access_due_at = CASE
          WHEN NOT mirror_permissions THEN NULL
          WHEN $4 = 'failed' THEN now()
            + least($7, greatest($6 * power(2, least(access_failures, 10)), ${soonSeconds}))
              * interval '1 second'
          ELSE now() + $7 * interval '1 second'
        END
      WHERE ${isMine}`,
      [
        check.connection.id,
        check.version,
        check.until,
        outcome.kind,
        isFailed ? JSON.stringify(outcome.fault) : null,
        (isFailed && outcome.waitSeconds) || hourSeconds,
        outcome.kind === "interrupted"
          ? Math.max(soonSeconds, outcome.waitSeconds)
          : isTold
            ? hourSeconds
            : soonSeconds,
      ],
    );
  }

  /** Gives a check back that couldn't be ended here. */
  async release({ connection, version, until }: AccessCheck, waitSeconds = 0): Promise<void> {
    await this.dataSource.query(
      `UPDATE connectors.connection SET access_due_at = now() + $4 * interval '1 second'
      WHERE ${isMine}`,
      [connection.id, version, until, waitSeconds],
    );
  }

  /** Notes that the source refuses to tell; once it has for a day, nothing it told counts. */
  async noteRefusal({ connection: { id } }: AccessCheck): Promise<void> {
    await this.dataSource.query(
      `WITH refused AS (
        UPDATE connectors.connection SET access_refused_since = coalesce(access_refused_since, now())
        WHERE id = $1
        RETURNING access_refused_since <= now() - ${longestRefusalSeconds} * interval '1 second'
          AS "isOver"
      ), due AS (
        SELECT key FROM connectors.source_item
        WHERE connection_id = $1 AND access IS NOT NULL AND (SELECT "isOver" FROM refused)
        ORDER BY key FOR UPDATE
      )
      UPDATE connectors.source_item i SET access = NULL
      FROM due WHERE i.connection_id = $1 AND i.key = due.key`,
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

  /** Notes what the source says now, unless an import has noted something else meanwhile. */
  async saveLists(
    connectionId: string,
    lists: (Pick<AccessItem, "key" | "documentId" | "access"> & { now: AccessList })[],
  ): Promise<void> {
    await this.dataSource.query(
      `WITH due AS (
        SELECT key, r.now FROM connectors.source_item i
        JOIN jsonb_to_recordset($2::jsonb)
          AS r(key text, "documentId" uuid, access jsonb, now jsonb) USING (key)
        WHERE i.connection_id = $1 AND i.document_id = r."documentId"
          AND i.access IS NOT DISTINCT FROM nullif(r.access, 'null'::jsonb)
        ORDER BY key FOR UPDATE OF i
      )
      UPDATE connectors.source_item i SET access = due.now
      FROM due WHERE i.connection_id = $1 AND i.key = due.key`,
      [connectionId, writeJson(lists)],
    );
  }

  /** Picks the items that are as they were read, whose audience is open until it is saved. */
  async beginTelling(
    connectionId: string,
    items: readonly AccessItem[],
  ): Promise<{ telling: string; items: AccessItem[] }> {
    const telling = tellingName();
    const [rows] = await this.dataSource.query<[{ key: string }[], number]>(
      `WITH due AS (
        SELECT key FROM connectors.source_item i
        JOIN jsonb_to_recordset($2::jsonb)
          AS r(key text, "documentId" uuid, access jsonb, audience text) USING (key)
        WHERE i.connection_id = $1 AND i.document_id = r."documentId"
          AND i.access IS NOT DISTINCT FROM nullif(r.access, 'null'::jsonb)
          AND i.audience IS NOT DISTINCT FROM r.audience
        ORDER BY key FOR UPDATE OF i
      )
      UPDATE connectors.source_item i SET audience = $3
      FROM due WHERE i.connection_id = $1 AND i.key = due.key
      RETURNING i.key`,
      [connectionId, writeJson(items.map(({ item: _, ...item }) => item)), telling],
    );
    const picked = new Set(rows.map(({ key }) => key));
    return { telling, items: items.filter(({ key }) => picked.has(key)) };
  }

  /**
   * Notes which readers ingest was told of. Of items that somebody else told of meanwhile nobody
   * knows who was heard last, so those have to be told again; false if there are any. If the check
   * has lost its place, the next one is due at once, because the one that took it may have ended.
   */
  async saveAudience(
    { connection: { id: connectionId }, version }: AccessCheck,
    items: readonly AccessItem[],
    telling: string,
    audience: string | null,
  ): Promise<boolean> {
    const [rows] = await this.dataSource.query<[{ isSure: boolean }[], number]>(
      `WITH told AS (
        SELECT key FROM connectors.source_item i
        JOIN jsonb_to_recordset($2::jsonb) AS r(key text, "documentId" uuid) USING (key)
        WHERE i.connection_id = $1 AND i.document_id = r."documentId"
        ORDER BY key FOR UPDATE OF i
      )
      UPDATE connectors.source_item i SET
        audience = CASE WHEN i.audience = $3 THEN $4::text ELSE '${unknownAudience}' END
      FROM told WHERE i.connection_id = $1 AND i.key = told.key
      RETURNING i.audience IS NOT DISTINCT FROM $4 AS "isSure"`,
      [
        connectionId,
        JSON.stringify(items.map(({ key, documentId }) => ({ key, documentId }))),
        telling,
        audience,
      ],
    );
    const isSure = rows.every((row) => row.isSure);
    if (!isSure)
      await this.dataSource.query(
        `UPDATE connectors.connection SET access_due_at = now()
        WHERE id = $1 AND access_version <> $2`,
        [connectionId, version],
      );
    return isSure;
  }

  /** The same for one item, before an import tells ingest of it; its outcome says the rest. */
  async beginTellingOne({ connectionId, key, documentId }: Told): Promise<string> {
    const telling = tellingName();
    await this.dataSource.query(
      `UPDATE connectors.source_item SET audience = $4
      WHERE connection_id = $1 AND key = $2 AND document_id IS NOT DISTINCT FROM $3`,
      [connectionId, key, documentId, telling],
    );
    return telling;
  }

  /** The outcome wasn't recorded, and a check may have told ingest of other readers meanwhile. */
  async doubt({ connectionId, key, documentId }: Told): Promise<void> {
    await this.dataSource.query(
      `UPDATE connectors.source_item SET audience = '${unknownAudience}'
      WHERE connection_id = $1 AND key = $2 AND document_id = $3`,
      [connectionId, key, documentId],
    );
    await this.dataSource.manager.update(
      Connection,
      { id: connectionId },
      { accessDueAt: () => "now()" },
    );
  }
}

type Told = Pick<SourceItem, "connectionId" | "key" | "documentId">;

/** No list of readers is written like that. */
const tellingName = (): string => `${unknownAudience}${randomUUID()}`;
