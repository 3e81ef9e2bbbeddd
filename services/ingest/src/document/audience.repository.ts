import { createHash } from "node:crypto";
import { readChunkSource, type DocumentAccess } from "@carrel/contracts";
import { preparedQuery } from "@carrel/database";
import { Injectable } from "@nestjs/common";
import { LRUCache } from "lru-cache";
import { DataSource, type EntityManager } from "typeorm";
import type { Document } from "./document.entity.ts";
import { everyReader, isHidden, type Reader } from "./reader.ts";

/** Whom a document is for: an audience, and whoever imported it. */
export interface Restriction {
  audienceId: number | null;
  ownerId: number | null;
}

/**
 * Sets of people who may see restricted documents. An audience never changes, so what is known of
 * one stays true.
 */
@Injectable()
export class AudienceRepository {
  /** Whether a reader is in an audience; about 100 bytes each. */
  private readonly known = new LRUCache<string, boolean>({ max: 100_000 });

  constructor(private readonly dataSource: DataSource) {}

  /** The audience of these people; the importer needs no mention. */
  async ensure(manager: EntityManager, readers: readonly number[]): Promise<number> {
    const people = [...new Set(readers)].sort((a, b) => a - b);
    const digest = createHash("sha256").update(people.join()).digest("hex");
    // Noting the use keeps the row from being deleted until the transaction ends.
    const [row] = await manager.query<{ id: number; isNew: boolean }[]>(
      `INSERT INTO ingest.audience AS a (digest) VALUES ($1)
      ON CONFLICT (digest) DO UPDATE SET used_at = now()
      RETURNING a.id, (xmax = 0) AS "isNew"`,
      [digest],
    );
    const { id, isNew } = row!;
    if (isNew)
      await manager.query(
        `INSERT INTO ingest.audience_member (audience_id, user_id)
        SELECT $1, unnest($2::int[])`,
        [id, people],
      );
    return id;
  }

  /** Picks what the reader may see. Asks PostgreSQL only about audiences it doesn't know yet. */
  async select<T>(
    reader: Reader,
    all: readonly T[],
    restrictionOf: (one: T) => Restriction,
  ): Promise<T[]> {
    if (reader === everyReader) return [...all];
    const isOpen = ({ audienceId, ownerId }: Restriction): boolean =>
      audienceId === null || ownerId === reader;
    const asked = new Set<number>();
    for (const one of all) {
      const restriction = restrictionOf(one);
      if (!isOpen(restriction)) asked.add(restriction.audienceId!);
    }
    if (asked.size === 0) return [...all];
    const member = await this.listMemberships(reader, [...asked]);
    return all.filter((one) => {
      const restriction = restrictionOf(one);
      return isOpen(restriction) || member.has(restriction.audienceId!);
    });
  }

  /**
   * Gives documents, with the others of the same upload and what is to replace them, an audience. Returns how many had another
   * one, and the workspaces that hold those.
   */
  async restrict(
    manager: EntityManager,
    documentIds: readonly string[],
    audienceId: number | null,
  ): Promise<{ documents: number; workspaceIds: number[] }> {
    // In a statement of its own: the next one then sees documents that were just split off.
    await manager.query(
      "SELECT FROM ingest.document WHERE id = ANY($1::uuid[]) ORDER BY id FOR UPDATE",
      [documentIds],
    );
    const [row] = await manager.query<{ documents: number; workspaceIds: number[] }[]>(
      `WITH changed AS (
        UPDATE ingest.document d SET audience_id = $2::int
        WHERE (
            d.id = ANY($1::uuid[]) OR d.upload_id = ANY($1::uuid[]) OR d.revises = ANY($1::uuid[])
          )
          AND d.audience_id IS DISTINCT FROM $2::int
        RETURNING d.id
      )
      SELECT (SELECT count(*) FROM changed)::int AS documents,
        ARRAY(
          SELECT DISTINCT w.workspace_id FROM ingest.workspace_document w
          JOIN changed ON changed.id = w.document_id
        ) AS "workspaceIds"`,
      [documentIds, audienceId],
    );
    return row!;
  }

  /** Who may see these documents at most, by id; ingest doesn't know who is in their workspaces. */
  async describe(
    documents: readonly Pick<Document, "id" | "audienceId" | "userId" | "chunkSource">[],
  ): Promise<Map<string, DocumentAccess>> {
    const restricted = documents.filter(({ audienceId }) => audienceId !== null);
    const counts = new Map<string, number>();
    if (restricted.length > 0) {
      const rows = await this.dataSource.query<{ id: string; count: number }[]>(
        `SELECT d.id, (d.user_id IS NOT NULL)::int + (
            SELECT count(*) FROM ingest.audience_member m
            WHERE m.audience_id = d.audience_id AND m.user_id IS DISTINCT FROM d.user_id
          )::int AS count
        FROM ingest.document d
        WHERE d.id = ANY($1::uuid[])`,
        [restricted.map(({ id }) => id)],
      );
      for (const { id, count } of rows) counts.set(id, count);
    }
    return new Map(
      documents.map(({ id, audienceId, chunkSource }): [string, DocumentAccess] => {
        if (audienceId === null) return [id, { kind: "everyone" }];
        const source = readChunkSource(chunkSource);
        const from = source.kind === "connector" ? source.connector : null;
        return [id, { kind: "people", count: counts.get(id) ?? 0, from }];
      }),
    );
  }

  /** Which of these documents are, or were before they were deleted, for others. */
  async listHidden(reader: Reader, documentIds: readonly string[]): Promise<string[]> {
    if (reader === everyReader || documentIds.length === 0) return [];
    const rows = await preparedQuery<{ id: string }>(
      this.dataSource,
      "list hidden documents",
      `SELECT hidden.id FROM ingest.document hidden
      WHERE hidden.id = ANY($1::uuid[]) AND ${isHidden("$2::int")}
      UNION ALL
      SELECT hidden.document_id FROM ingest.deleted_restricted hidden
      WHERE hidden.document_id = ANY($1::uuid[]) AND ${isHidden("$2::int")}`,
      [documentIds, reader],
    );
    return rows.map(({ id }) => id);
  }

  /** Their ids are never given to anybody else, so what is known of audiences stays true. */
  async deleteUser(userId: number): Promise<void> {
    await this.dataSource.query("DELETE FROM ingest.audience_member WHERE user_id = $1", [userId]);
  }

  /** Deletes audiences that no document has had for a day. */
  async deleteUnused(): Promise<void> {
    await this.dataSource.query(
      `DELETE FROM ingest.audience a
      WHERE a.used_at < now() - interval '1 day'
        AND NOT EXISTS (SELECT FROM ingest.document d WHERE d.audience_id = a.id)
        AND NOT EXISTS (SELECT FROM ingest.deleted_restricted d WHERE d.audience_id = a.id)`,
    );
  }

  private async listMemberships(reader: Reader, audienceIds: number[]): Promise<Set<number>> {
    const keyOf = (id: number): string => `${reader} ${id}`;
    const unknown = audienceIds.filter((id) => !this.known.has(keyOf(id)));
    if (unknown.length > 0) {
      const rows = await preparedQuery<{ id: number }>(
        this.dataSource,
        "list audiences of reader",
        `SELECT audience_id AS id FROM ingest.audience_member
        WHERE user_id = $1 AND audience_id = ANY($2::int[])`,
        [reader, unknown],
      );
      const found = new Set(rows.map(({ id }) => id));
      for (const id of unknown) this.known.set(keyOf(id), found.has(id));
      return new Set(
        audienceIds.filter((id) => found.has(id) || this.known.get(keyOf(id)) === true),
      );
    }
    return new Set(audienceIds.filter((id) => this.known.get(keyOf(id)) === true));
  }
}
