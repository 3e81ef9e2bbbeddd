import type {
  Out,
  readWorkspaceDocuments,
  WorkspaceDocumentWire,
  WorkspaceScope,
} from "@carrel/contracts";
import { preparedQuery } from "@carrel/database";
import { Injectable } from "@nestjs/common";
import { DataSource } from "typeorm";

/** Rows read for one page. */
const maxRead = 1_000;
/**
 * Maximum bytes of a page inside a reply between services, which may take 1 MiB: there the page is a
 * JSON string within JSON. Long descriptions can fill it early.
 */
const maxBytes = 900_000;

const time = (column: string): string =>
  `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
/** The document's JSON without its text (wire-contract 6.2). */
const metadata = `(
    SELECT row_to_json(m)::text
    FROM (
      SELECT d.id, d.url, d.title, d.doc_author AS "docAuthor", d.description,
        d.doc_source AS "docSource", d.chunk_source AS "chunkSource", d.published,
        d.word_count AS "wordCount", d.token_count AS token_count_estimate
    ) m
  )`;
/** Fields in wire order (wire-contract 3.1) and where they come from. */
const fields: Record<keyof WorkspaceDocumentWire, string> = {
  id: "w.id",
  docId: "d.id",
  filename: "substr(d.docpath, length(d.folder) + 2)",
  docpath: "d.docpath",
  workspaceId: "w.workspace_id",
  metadata,
  pinned: "w.pinned",
  watched: "w.watched",
  createdAt: time("w.created_at"),
  lastUpdatedAt: time("w.last_updated_at"),
};
const columns = Object.entries(fields)
  .map(([name, value]) => `${value} AS "${name}"`)
  .join(", ");
const page = `
  SELECT string_agg(json, ',' ORDER BY id) AS items, count(*)::int AS count, max(id) AS last,
    max(read)::int AS read,
    EXISTS (
      SELECT 1 FROM parsed_file f
      WHERE f.workspace_id = $1 AND f.user_id IS NOT DISTINCT FROM $2::int
    ) AS "hasFiles"
  FROM (
    SELECT id, json, count(*) OVER () AS read, row_number() OVER (ORDER BY id) AS place,
      sum(octet_length(to_json(json)::text)) OVER (ORDER BY id) AS bytes
    FROM (
      SELECT item.id, row_to_json(item)::text AS json
      FROM (
        SELECT ${columns}
        FROM workspace_document w
        JOIN document d ON d.id = w.document_id
        WHERE w.workspace_id = $1
          AND w.index_version IS NOT NULL
          AND w.id > $3
          AND ($4::uuid[] IS NULL OR w.document_id = ANY($4))
        ORDER BY w.id LIMIT ${maxRead}
      ) item
    ) listed
  ) measured
  WHERE place = 1 OR bytes <= ${maxBytes}`;

/** Documents of a workspace as JSON for clients, built by PostgreSQL (docs/decisions/gateway.md). */
@Injectable()
export class WorkspaceDocumentReadRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Documents that are at least searchable, ordered by workspace document id. */
  async page(
    { workspace, principal }: WorkspaceScope,
    after: number | null,
    documentIds: string[] | null,
  ): Promise<Out<typeof readWorkspaceDocuments>> {
    const [row] = await preparedQuery<{
      items: string | null;
      count: number;
      last: number | null;
      read: number | null;
      hasFiles: boolean;
    }>(this.dataSource, "workspace-documents", page, [
      workspace.id,
      principal.userId,
      after ?? 0,
      documentIds,
    ]);
    const { items, count, last, read, hasFiles } = row!;
    return {
      items: items ?? "",
      next: count === read && read < maxRead ? null : last,
      hasFiles,
    };
  }
}
