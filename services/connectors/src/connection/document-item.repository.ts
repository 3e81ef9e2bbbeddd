import { randomUUID } from "node:crypto";
import type { FaultWire, Scope } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { DataSource } from "typeorm";
import type { ListedItem } from "../connector/connector.ts";
import { noValidators } from "../connector/validators.ts";
import { Connection } from "./connection.entity.ts";
import { allowedAfter, planCheck } from "./item-access.ts";
import { writeJson, type ItemOutcome } from "./item.repository.ts";
import { SourceItem } from "./source-item.entity.ts";

/** A document's place in its source. */
export interface DocumentItem {
  item: SourceItem;
  connection: Connection;
  /** A run is going on, which brings the document up to date itself. */
  isImporting: boolean;
}

/** The items behind documents that are brought up to date one by one, outside of runs. */
@Injectable()
export class DocumentItemRepository {
  constructor(private readonly dataSource: DataSource) {}

  async find(documentId: string): Promise<DocumentItem | null> {
    const { manager } = this.dataSource;
    const item = await manager.findOneBy(SourceItem, { documentId });
    if (item === null) return null;
    const [connection, open] = await Promise.all([
      manager.findOneBy(Connection, { id: item.connectionId }),
      manager.query<unknown[]>(
        "SELECT 1 FROM connectors.connection_run WHERE connection_id = $1 AND ended_at IS NULL",
        [item.connectionId],
      ),
    ]);
    return connection && { item, connection, isImporting: open.length > 0 };
  }

  /**
   * Makes an item of a link's document that has none, because it was imported before items were
   * kept. Of two requests at once, the first one makes it.
   */
  async adoptLink(scope: Scope, documentId: string, url: string): Promise<void> {
    const id = randomUUID();
    await this.dataSource.transaction(async (manager) => {
      await manager.query("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", [documentId]);
      if (await manager.existsBy(SourceItem, { documentId })) return;
      await manager.insert(Connection, {
        id,
        connector: "link",
        name: url,
        settings: { link: url } as object,
        scope,
        embed: false,
        metadata: {},
        isOnce: true,
      });
      await manager.insert(SourceItem, {
        connectionId: id,
        key: documentId,
        runId: id,
        item: url as unknown as object,
        title: url,
        address: url,
        state: "fetched",
        version: noValidators,
        documentId,
      });
    });
  }

  /**
   * Records what became of a document, unless a run has come across its item meanwhile, which does
   * so itself, or its source has got other settings. False if it wasn't recorded. A document that was
   * replaced by another is deleted. `current`: the item as its source has it now.
   */
  async record(
    { item, connection }: Pick<DocumentItem, "item" | "connection">,
    outcome: Extract<ItemOutcome, { state: "fetched" | "unchanged" }>,
    current?: Pick<ListedItem, "item" | "version">,
  ): Promise<boolean> {
    const { connectionId, key, documentId } = item;
    const fetched = outcome.state === "fetched" ? outcome : null;
    const { allowed } = outcome;
    const done = await this.dataSource.query<Pick<SourceItem, "audience">[]>(
      `WITH same AS (
        SELECT id FROM connectors.connection WHERE id = $1 AND settings = $11
        FOR NO KEY UPDATE
      ), done AS (
        UPDATE connectors.source_item i SET
          state = $4,
          fault = NULL,
          version = coalesce($5, i.version),
          sha256 = coalesce($6, i.sha256),
          bytes = coalesce($7, i.bytes),
          access = ${allowedAfter.access},
          audience = ${allowedAfter.audience},
          document_id = coalesce($9, i.document_id),
          item = coalesce($10, i.item),
          updated_at = now()
        FROM jsonb_to_record($8::jsonb) AS r(
          is_allowed boolean, access jsonb, audience text, known jsonb, telling text
        ), same
        WHERE i.connection_id = same.id AND i.key = $2 AND i.document_id = $3 AND i.state <> 'pending'
        RETURNING i.audience
      ), stale AS (
        INSERT INTO connectors.stale_document (document_id, connection_id)
        SELECT CASE WHEN EXISTS (SELECT FROM done) THEN $3::uuid ELSE $9::uuid END, $1
        WHERE $9::uuid <> $3::uuid
        ON CONFLICT DO NOTHING
      )
      SELECT audience FROM done`,
      [
        connectionId,
        key,
        documentId,
        outcome.state,
        outcome.version ?? current?.version ?? null,
        fetched?.sha256 ?? null,
        fetched?.bytes ?? null,
        writeJson({ is_allowed: allowed !== undefined, ...allowed }),
        fetched?.documentId ?? null,
        current === undefined ? null : writeJson(current.item),
        writeJson(connection.settings),
      ],
    );
    await planCheck(this.dataSource, connectionId, done);
    return done.length > 0;
  }

  /**
   * A document's new content couldn't be read: forgets that it has it, so that it is fetched again by
   * this run if that hasn't begun its item yet, or else by the next run or sync. False while a run is
   * busy with its item.
   */
  async markUnread(documentId: string, sha256: string, fault: FaultWire): Promise<boolean> {
    const [row] = await this.dataSource.query<{ isBusy: boolean }[]>(
      `WITH unread AS (
        UPDATE connectors.source_item SET
          state = CASE state WHEN 'pending' THEN state ELSE 'failed' END,
          fault = CASE state WHEN 'pending' THEN fault ELSE $3 END,
          version = NULL, sha256 = NULL, updated_at = now()
        WHERE document_id = $1 AND sha256 = $2
      )
      SELECT EXISTS (
        SELECT FROM connectors.source_item
        WHERE document_id = $1 AND state = 'pending'
          AND (attempts > 0 OR sha256 IS DISTINCT FROM $2)
      ) AS "isBusy"`,
      [documentId, sha256, JSON.stringify(fault)],
    );
    return !row!.isBusy;
  }

  /** Documents of what was imported once, by id, which people may have deleted meanwhile. */
  async listOnce(after: string | null, limit: number): Promise<string[]> {
    const rows = await this.dataSource.query<{ id: string }[]>(
      `SELECT i.document_id AS id FROM connectors.source_item i
      JOIN connectors.connection c ON c.id = i.connection_id AND c.is_once
      WHERE i.document_id IS NOT NULL AND ($1::uuid IS NULL OR i.document_id > $1)
      ORDER BY i.document_id LIMIT $2`,
      [after, limit],
    );
    return rows.map(({ id }) => id);
  }

  /** What was imported once is kept no longer than its documents. */
  async forget(documentIds: readonly string[]): Promise<void> {
    if (documentIds.length === 0) return;
    await this.dataSource.query(
      `WITH forgotten AS (
        UPDATE connectors.source_item SET document_id = NULL
        WHERE document_id = ANY($1::uuid[]) RETURNING connection_id, key
      )
      UPDATE connectors.connection c SET expires_at = now()
      WHERE c.is_once AND c.id IN (SELECT connection_id FROM forgotten)
        AND NOT EXISTS (
          SELECT FROM connectors.source_item i
          WHERE i.connection_id = c.id AND i.document_id IS NOT NULL
            AND (i.connection_id, i.key) NOT IN (SELECT connection_id, key FROM forgotten)
        )`,
      [documentIds],
    );
  }
}
