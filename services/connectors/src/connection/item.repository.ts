import { createHash } from "node:crypto";
import { clipText, type Fault } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";
import type { ListedItem, ListedPage } from "../connector/connector.ts";
import { ConnectionRun } from "./connection-run.entity.ts";
import { allowedAfter, planCheck, type Allowed } from "./item-access.ts";
import { SourceItem } from "./source-item.entity.ts";

const itemsPerInsert = 500;
/** Longest id that is its own key; an index entry must stay below 2,700 bytes. */
const longestKey = 200;
const longestTitle = 500;
const longestAddress = 4_000;

type Claimed = Pick<SourceItem, "connectionId" | "key" | "runId">;

/** What became of an item. */
export type ItemOutcome =
  | {
      state: "fetched";
      documentId: string;
      title: string;
      version: string | null;
      sha256: string;
      bytes: number;
      allowed: Allowed;
    }
  | { state: "unchanged"; version?: string; allowed?: Allowed }
  | { state: "skipped" | "failed" | "gone"; fault: Fault };

/** PostgreSQL stores no null characters, and lone surrogates aren't JSON. */
const storable = (text: string): string => text.toWellFormed().replaceAll("\0", "");
const clean = (text: string, limit: number): string => storable(clipText(text, limit));

export const writeJson = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) => (typeof part === "string" ? storable(part) : part));

const keyOf = (externalId: string): string =>
  externalId.length <= longestKey &&
  !externalId.startsWith("sha256:") &&
  clean(externalId, longestKey) === externalId
    ? externalId
    : `sha256:${createHash("sha256").update(externalId).digest("hex")}`;

/** Whether documents stay after their source has deleted them; $1 is the connection. */
export const keepsGone = "(SELECT keeps_gone FROM connectors.connection WHERE id = $1)";
/** Whether an item in this state is no longer a document. */
const isDropped = (state: string): string =>
  `(${state} = 'skipped' OR ${state} = 'gone' AND NOT ${keepsGone})`;

/** An item that is done. */
export interface FinishedItem {
  key: string;
  outcome: ItemOutcome;
}

function describeFinished({ key, outcome }: FinishedItem) {
  const document = outcome.state === "fetched" ? outcome : null;
  const allowed = "allowed" in outcome ? outcome.allowed : undefined;
  return {
    key,
    state: outcome.state,
    fault: "fault" in outcome ? outcome.fault : null,
    title: document && clean(document.title, longestTitle),
    version: "version" in outcome ? outcome.version : null,
    sha256: document?.sha256,
    bytes: document?.bytes,
    document_id: document?.documentId,
    is_allowed: allowed !== undefined,
    access: allowed?.access,
    audience: allowed?.audience,
    known: allowed?.known,
    telling: allowed?.telling,
  };
}

@Injectable()
export class ItemRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Records items for a run, each once, up to `maxItems`, and where its listing goes on. Items that
   * are documents in the listed version are done with that.
   */
  async saveListed(
    run: Pick<ConnectionRun, "id" | "connectionId">,
    items: readonly ListedItem[],
    maxItems: number,
    listing?: { from: string | null } & Omit<ListedPage, "items">,
  ): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      const current = await manager.findOne(ConnectionRun, {
        where: { id: run.id },
        lock: { mode: "pessimistic_write" },
      });
      // The page was saved by another turn, or the run has ended.
      if (current === null || current.endedAt !== null) return;
      if (listing && (current.isListed || current.cursor !== listing.from)) return;
      if (listing)
        await manager.update(
          ConnectionRun,
          { id: run.id },
          {
            cursor: listing.next,
            isListed: listing.next === null,
            lostTurns: 1,
            ...(listing.mark !== undefined && { mark: listing.mark }),
            ...(listing.isPartial && { isCut: true }),
            ...(listing.asksUnlisted && { asksUnlisted: true }),
            ...(listing.leftOut && { leftOut: listing.leftOut as object }),
          },
        );
      const fresh = await this.dropKnown(manager, current, items);
      const room = Math.max(0, maxItems - current.found);
      if (fresh.length > room) await manager.update(ConnectionRun, { id: run.id }, { isCut: true });
      await this.upsert(manager, run, fresh.slice(0, room));
    });
  }

  /** Without what the run has come across already; a retry begins nothing else again either. */
  private async dropKnown(
    manager: EntityManager,
    { id, connectionId, isRetry }: ConnectionRun,
    items: readonly ListedItem[],
  ): Promise<ListedItem[]> {
    const byKey = new Map(items.map((listed) => [keyOf(listed.externalId), listed]));
    const known = await manager.query<{ key: string }[]>(
      `SELECT key FROM connectors.source_item
      WHERE connection_id = $1 AND key = ANY($2) AND (run_id = $3 OR $4)`,
      [connectionId, [...byKey.keys()], id, isRetry],
    );
    for (const { key } of known) byKey.delete(key);
    return [...byKey.values()];
  }

  private async upsert(
    manager: EntityManager,
    { id, connectionId }: Pick<ConnectionRun, "id" | "connectionId">,
    items: readonly ListedItem[],
  ): Promise<void> {
    const all = items.map((listed) => ({
      key: keyOf(listed.externalId),
      item: listed.item ?? {},
      title: clean(listed.title, longestTitle),
      address: clean(listed.address, longestAddress),
      listed_version: listed.version ?? null,
      bytes: listed.bytes ?? null,
      fault: listed.skip ?? null,
      state: listed.isGone ? "gone" : listed.skip ? "skipped" : "pending",
    }));
    for (let at = 0; at < all.length; at += itemsPerInsert)
      await manager.query(
        `WITH dropped AS (
          SELECT i.document_id FROM connectors.source_item i
          JOIN jsonb_to_recordset($3::jsonb) AS r(key text, state text) USING (key)
          WHERE i.connection_id = $1 AND i.run_id <> $2 AND i.document_id IS NOT NULL
            AND ${isDropped("r.state")}
          ORDER BY key FOR UPDATE OF i
        ), stale AS (
          INSERT INTO connectors.stale_document (document_id, connection_id)
          SELECT document_id, $1 FROM dropped ON CONFLICT DO NOTHING
        ), saved AS (
          INSERT INTO connectors.source_item AS i (
            connection_id, run_id, key, item, title, address, listed_version, bytes, fault, state
          )
          SELECT $1, $2, key, item, title, address, listed_version, bytes, fault, state
          FROM jsonb_to_recordset($3::jsonb) AS r(
            key text, item jsonb, title text, address text, listed_version text, bytes bigint,
            fault jsonb, state text
          )
          -- Rows that this statement has changed can't be locked any more, so those come first.
          CROSS JOIN (SELECT count(*) FROM dropped) AS first
          ORDER BY key
          ON CONFLICT (connection_id, key) DO UPDATE SET
            run_id = excluded.run_id,
            item = excluded.item,
            title = excluded.title,
            address = excluded.address,
            listed_version = excluded.listed_version,
            fault = excluded.fault,
            attempts = 0,
            due_at = now(),
            updated_at = now(),
            is_lost = false,
            state = CASE
              -- Ingest learns that what was gone is there again when it is fetched.
              WHEN excluded.state = 'pending' AND i.document_id IS NOT NULL AND i.state <> 'gone'
                AND i.version = excluded.listed_version THEN 'unchanged'
              ELSE excluded.state
            END,
            document_id = CASE WHEN ${isDropped("excluded.state")} THEN NULL ELSE i.document_id END,
            fingerprint = CASE WHEN ${isDropped("excluded.state")} THEN NULL ELSE i.fingerprint END
          WHERE i.run_id IS DISTINCT FROM excluded.run_id
          RETURNING state
        )
        UPDATE connectors.connection_run SET
          found = found + (SELECT count(*) FROM saved WHERE state <> 'gone'),
          unchanged = unchanged + (SELECT count(*) FROM saved WHERE state = 'unchanged'),
          skipped = skipped + (SELECT count(*) FROM saved WHERE state = 'skipped')
        WHERE id = $2`,
        [connectionId, id, writeJson(all.slice(at, at + itemsPerInsert))],
      );
  }

  /** The next items that are due in a turn, except those it is busy with. */
  claim(
    { id: runId, connectionId, turn }: Pick<ConnectionRun, "id" | "connectionId" | "turn">,
    limit: number,
    busy: readonly string[],
  ): Promise<SourceItem[]> {
    return this.dataSource.transaction(async (manager) => {
      const rows = await manager.query<{ key: string; ordinal: string }[]>(
        `SELECT key, ordinal FROM connectors.source_item
        WHERE run_id = $1 AND state = 'pending' AND due_at <= now() AND key <> ALL($2)
          AND EXISTS (
            SELECT 1 FROM connectors.connection_run
            WHERE id = $1 AND state = 'running' AND turn = $4
          )
        ORDER BY ordinal LIMIT $3`,
        [runId, busy, limit, turn],
      );
      if (rows.length === 0) return [];
      const keys = rows.map(({ key }) => key);
      await manager.query(
        `UPDATE connectors.source_item SET attempts = attempts + 1
        FROM (
          SELECT connection_id, key FROM connectors.source_item
          WHERE connection_id = $3 AND run_id = $1 AND key = ANY($2) ORDER BY key FOR UPDATE
        ) AS due
        WHERE source_item.connection_id = due.connection_id AND source_item.key = due.key`,
        [runId, keys, connectionId],
      );
      return manager
        .createQueryBuilder(SourceItem, "item")
        .where("item.connectionId = :connectionId AND item.key = ANY(:keys)", {
          connectionId,
          keys,
        })
        .andWhere("item.runId = :runId", { runId })
        .orderBy("item.ordinal")
        .getMany();
    });
  }

  /**
   * Records what became of items of an open run, once, and counts them; false for those that aren't
   * due any more. Locks the run first, as listing does.
   */
  async finish(
    { id, connectionId }: Pick<ConnectionRun, "id" | "connectionId">,
    finished: readonly FinishedItem[],
  ): Promise<boolean[]> {
    const done = await this.dataSource.query<Pick<SourceItem, "key" | "audience">[]>(
      `WITH run AS (
        SELECT id FROM connectors.connection_run WHERE id = $2 AND ended_at IS NULL FOR UPDATE
      ), given AS (
        SELECT * FROM jsonb_to_recordset($3::jsonb) AS r(
          key text, state text, fault jsonb, title text, version text, sha256 text, bytes bigint,
          document_id uuid, is_allowed boolean, access jsonb, audience text,
          known jsonb, telling text
        )
      ), before AS (
        SELECT given.*, i.document_id AS before
        FROM connectors.source_item i JOIN given USING (key) CROSS JOIN run
        WHERE i.connection_id = $1 AND i.key = ANY($4) AND i.run_id = run.id
          AND i.state = 'pending'
        ORDER BY key FOR UPDATE OF i
      ), done AS (
        UPDATE connectors.source_item i SET
          state = r.state,
          fault = r.fault,
          title = coalesce(r.title, i.title),
          version = coalesce(r.version, i.version),
          sha256 = coalesce(r.sha256, i.sha256),
          bytes = coalesce(r.bytes, i.bytes),
          access = ${allowedAfter.access},
          audience = ${allowedAfter.audience},
          document_id = CASE
            WHEN ${isDropped("r.state")} THEN NULL
            ELSE coalesce(r.document_id, i.document_id)
          END,
          fingerprint = CASE
            WHEN ${isDropped("r.state")} OR r.state = 'failed' AND i.document_id IS NULL THEN NULL
            -- A copy of it may be imported, also where it moved to.
            WHEN r.fault->>'code' IN ('source.missing', 'source.moved', 'source.canonical') THEN NULL
            ELSE i.fingerprint
          END,
          updated_at = now()
        FROM before r
        WHERE i.connection_id = $1 AND i.key = r.key
        RETURNING i.key, i.state, i.bytes, i.audience, r.before, i.document_id AS after
      ), stale AS (
        INSERT INTO connectors.stale_document (document_id, connection_id)
        SELECT before, $1 FROM done WHERE before IS NOT NULL AND before IS DISTINCT FROM after
        ON CONFLICT DO NOTHING
      ), counted AS (
        UPDATE connectors.connection_run SET
          fetched = fetched + (SELECT count(*) FROM done WHERE state = 'fetched'),
          unchanged = unchanged + (SELECT count(*) FROM done WHERE state = 'unchanged'),
          skipped = skipped + (SELECT count(*) FROM done WHERE state IN ('skipped', 'gone')),
          failed = failed + (SELECT count(*) FROM done WHERE state = 'failed'),
          removed = removed
            + (SELECT count(*) FROM done WHERE before IS NOT NULL AND after IS NULL),
          bytes = connection_run.bytes
            + coalesce((SELECT sum(bytes) FROM done WHERE state = 'fetched'), 0),
          lost_turns = 1,
          waits = 0
        WHERE id = $2
      )
      SELECT key, audience FROM done`,
      [connectionId, id, writeJson(finished.map(describeFinished)), finished.map(({ key }) => key)],
    );
    await planCheck(this.dataSource, connectionId, done);
    const keys = new Set(done.map(({ key }) => key));
    return finished.map(({ key }) => keys.has(key));
  }

  /** Leaves an item for later; waiting for its source doesn't count as an attempt. */
  async postpone(item: Claimed, delayMs: number, isAttempt: boolean): Promise<void> {
    await this.dataSource.query(
      `UPDATE connectors.source_item SET
        due_at = now() + $4 * interval '1 millisecond',
        attempts = attempts - $5
      WHERE connection_id = $1 AND key = $2 AND run_id = $3 AND state = 'pending'`,
      [item.connectionId, item.key, item.runId, delayMs, isAttempt ? 0 : 1],
    );
  }

  /** Gives back claimed items that were not begun. */
  async release(runId: string, keys: readonly string[]): Promise<void> {
    if (keys.length === 0) return;
    await this.dataSource.query(
      `UPDATE connectors.source_item SET attempts = attempts - 1
      WHERE run_id = $1 AND key = ANY($2) AND state = 'pending'`,
      [runId, keys],
    );
  }

  /** Reserves a fingerprint; returns the address of the item that has it already, or null. */
  async claimFingerprint(item: Claimed, fingerprint: string): Promise<string | null> {
    const [other] = await this.dataSource.query<{ address: string }[]>(
      `SELECT address FROM connectors.source_item
      WHERE connection_id = $1 AND fingerprint = $2 AND key <> $3`,
      [item.connectionId, fingerprint, item.key],
    );
    if (other !== undefined) return other.address;
    try {
      // Without a hash, the item isn't taken for unchanged until its new text is a document.
      await this.dataSource.query(
        `UPDATE connectors.source_item SET
          sha256 = CASE WHEN fingerprint = $3 THEN sha256 END,
          fingerprint = $3
        WHERE connection_id = $1 AND key = $2`,
        [item.connectionId, item.key, fingerprint],
      );
      return null;
    } catch (error) {
      if ((error as { code?: unknown }).code !== "23505") throw error;
      return this.claimFingerprint(item, fingerprint);
    }
  }
}
