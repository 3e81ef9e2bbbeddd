import type { WorkspaceScope } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { DataSource } from "typeorm";
import type { LiveChunk } from "./chunk.repository.ts";

type ChunkHeading = Pick<LiveChunk, "page" | "headingPath">;
type TextPlace = Pick<LiveChunk, "documentId" | "start">;
const keyOf = ({ documentId, start }: TextPlace): string => `${documentId} ${start}`;

/** Finds what is above the text at a place. */
@Injectable()
export class ChunkHeadingRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Page and headings of the chunk at each position, in the given order; null if there is none. */
  async listAt(scope: WorkspaceScope, places: TextPlace[]): Promise<(ChunkHeading | null)[]> {
    if (places.length === 0) return [];
    const exact = await this.listStartingAt(scope, places);
    const found = places.map((place) => exact.get(keyOf(place)) ?? null);
    const other = places.flatMap((place, n) => (found[n] === null ? [{ place, n }] : []));
    const near = await this.listBefore(
      scope,
      other.map(({ place }) => place),
    );
    for (const [index, { n }] of other.entries()) found[n] = near[index]!;
    return found;
  }

  /** Nearly all places: reads the chunks of each document once, not once for each place. */
  private async listStartingAt(
    { workspace }: WorkspaceScope,
    places: TextPlace[],
  ): Promise<Map<string, ChunkHeading>> {
    const rows = await this.dataSource.query<(ChunkHeading & TextPlace)[]>(
      `WITH w AS MATERIALIZED (
        SELECT id, document_id, index_version
        FROM ingest.workspace_document
        WHERE workspace_id = $1 AND document_id = ANY($2::uuid[])
      )
      SELECT w.document_id AS "documentId", c.start, c.page, c.heading_path AS "headingPath"
      FROM w
      JOIN ingest.chunk c ON c.workspace_document_id = w.id
        AND c.version = w.index_version
        AND c.start = ANY($3::int[])`,
      [
        workspace.id,
        [...new Set(places.map((place) => place.documentId))],
        [...new Set(places.map((place) => place.start))],
      ],
    );
    return new Map(
      rows.map(({ page, headingPath, ...place }) => [keyOf(place), { page, headingPath }]),
    );
  }

  /** The last chunk that starts at each position or before it, by reading all before it. */
  private async listBefore(
    { workspace }: WorkspaceScope,
    places: TextPlace[],
  ): Promise<(ChunkHeading | null)[]> {
    if (places.length === 0) return [];
    const rows = await this.dataSource.query<
      { page: number | null; headingPath: string[] | null }[]
    >(
      `SELECT c.page, c.heading_path AS "headingPath"
      FROM unnest($2::uuid[], $3::int[]) WITH ORDINALITY AS r(document_id, start, n)
      LEFT JOIN LATERAL (
        SELECT c.page, c.heading_path
        FROM ingest.workspace_document w
        JOIN ingest.chunk c ON c.workspace_document_id = w.id AND c.version = w.index_version
        WHERE w.workspace_id = $1 AND w.document_id = r.document_id AND c.start <= r.start
        ORDER BY c.start DESC LIMIT 1
      ) c ON true
      ORDER BY r.n`,
      [workspace.id, places.map((place) => place.documentId), places.map((place) => place.start)],
    );
    return rows.map(({ page, headingPath }) =>
      headingPath === null ? null : { page, headingPath },
    );
  }
}
