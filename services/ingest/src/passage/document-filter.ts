import type { RetrievalFilter, WorkspaceScope } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { DataSource } from "typeorm";
import { buildPublicationId } from "../chunking/chunk-id.ts";
import { mayRead, readerOf } from "../document/reader.ts";

/**
 * Up to this many matching documents, the index is queried for just their rows; beyond that, it is
 * queried unfiltered and PostgreSQL removes the rest.
 */
const maxNamed = 1_000;
const maxFacets = 200;

export interface FilteredDocuments {
  /** Number of the workspace's documents that match the filter. */
  count: number;
  /** The documents' publication ids in the indexes; null if there are too many to list. */
  publicationIds: string[] | null;
  /** Returns the subset of these ids that matches the filter. */
  select(documentIds: string[]): Promise<Set<string>>;
}

/**
 * Filters the searchable documents of a workspace that the caller may see by folder, type, tag, id
 * and date.
 */
@Injectable()
export class DocumentFilter {
  constructor(private readonly dataSource: DataSource) {}

  /** null if the filter is empty, so every document matches. */
  async resolve(scope: WorkspaceScope, filter: RetrievalFilter): Promise<FilteredDocuments | null> {
    const { condition, values } = conditionOf(filter, 3);
    return condition === null ? null : this.list(scope, condition, values);
  }

  /** All that the caller may see. */
  resolveReadable(scope: WorkspaceScope): Promise<FilteredDocuments> {
    return this.list(scope, "true", []);
  }

  private async list(
    scope: WorkspaceScope,
    condition: string,
    conditionValues: unknown[],
  ): Promise<FilteredDocuments> {
    const values = [readerOf(scope), ...conditionValues];
    const from = `FROM ingest.workspace_document w
      JOIN ingest.document d ON d.id = w.document_id
      WHERE w.workspace_id = $1
        AND w.index_version IS NOT NULL
        AND ${mayRead("d.id", "$2::int")}
        AND ${condition}`;
    const rows = await this.dataSource.query<
      { id: number; version: number; document_id: string }[]
    >(`SELECT w.id, w.index_version AS version, w.document_id ${from} LIMIT ${maxNamed + 1}`, [
      scope.workspace.id,
      ...values,
    ]);
    if (rows.length <= maxNamed) {
      const known = new Set(rows.map((row) => row.document_id));
      return {
        count: rows.length,
        publicationIds: rows.map((row) => buildPublicationId(row.id, row.version)),
        select: (ids) => Promise.resolve(new Set(ids.filter((id) => known.has(id)))),
      };
    }
    const counted = await this.dataSource.query<{ count: number }[]>(
      `SELECT count(*)::int AS count ${from}`,
      [scope.workspace.id, ...values],
    );
    return {
      count: counted[0]!.count,
      publicationIds: null,
      select: async (ids) =>
        new Set(
          (
            await this.dataSource.query<{ document_id: string }[]>(
              `SELECT w.document_id ${from} AND d.id = ANY($${values.length + 2}::uuid[])`,
              [scope.workspace.id, ...values, ids],
            )
          ).map((row) => row.document_id),
        ),
    };
  }

  /** The folders, types and tags that filters can use in the workspace, with document counts. */
  async facets(
    scope: WorkspaceScope,
  ): Promise<Record<"folders" | "types" | "tags", { value: string; documents: number }[]>> {
    const list = (value: string, join = ""): Promise<{ value: string; documents: number }[]> =>
      this.dataSource.query(
        `SELECT ${value} AS value, count(*)::int AS documents
        FROM ingest.workspace_document w
        JOIN ingest.document d ON d.id = w.document_id
        ${join}
        WHERE w.workspace_id = $1
          AND w.index_version IS NOT NULL
          AND ${mayRead("d.id", "$2::int")}
        GROUP BY 1
        ORDER BY 2 DESC, 1 LIMIT ${maxFacets}`,
        [scope.workspace.id, readerOf(scope)],
      );
    const [folders, types, tags] = await Promise.all([
      list("d.folder"),
      list("d.mime"),
      list("t.tag", "CROSS JOIN LATERAL unnest(d.tags) AS t(tag)"),
    ]);
    return { folders, types, tags };
  }
}

/**
 * Condition on `document` as d, with parameters numbered from `$first`; null for an empty filter.
 */
export function conditionOf(
  filter: RetrievalFilter,
  first: number,
): { condition: string | null; values: unknown[] } {
  const parts: string[] = [];
  const values: unknown[] = [];
  const parameter = (value: unknown): string => `$${first + values.push(value) - 1}`;
  const lower = (words: string[]): string[] => words.map((word) => word.toLowerCase());
  // starts_with rather than LIKE, because folder names may contain wildcards.
  const isIn = (folders: string[]): string => `EXISTS (
        SELECT 1
        FROM unnest(${parameter(folders.map((folder) => folder.replace(/\/+$/, "")))}::text[]) AS f(name)
        WHERE d.folder = f.name OR starts_with(d.folder, f.name || '/')
      )`;
  if (filter.folders?.length) parts.push(isIn(filter.folders));
  if (filter.places !== undefined)
    parts.push(
      `d.id = ANY(${parameter(filter.places.documentIds)}::uuid[]) OR ${isIn(filter.places.folders)}`,
    );
  if (filter.types?.length) {
    const types = lower(filter.types);
    const exact = parameter(types.filter((type) => type.includes("/") && !type.endsWith("/*")));
    const families = parameter(
      types.filter((type) => type.endsWith("/*")).map((type) => type.slice(0, -1)),
    );
    const endings = parameter(
      types.filter((type) => !type.includes("/")).map((type) => type.replace(/^\./, "")),
    );
    parts.push(`(
        lower(d.mime) = ANY(${exact}::text[])
        OR d.kind = ANY(${endings}::text[])
        OR EXISTS (
          SELECT 1 FROM unnest(${families}::text[]) AS f(start)
          WHERE starts_with(lower(d.mime), f.start)
        )
        OR EXISTS (
          SELECT 1 FROM unnest(${endings}::text[]) AS e(ending)
          WHERE right(lower(d.filename), length(e.ending) + 1) = '.' || e.ending
        )
      )`);
  }
  if (filter.tags?.length)
    parts.push(
      `EXISTS (
        SELECT 1 FROM unnest(d.tags) AS t(tag)
        WHERE lower(t.tag) = ANY(${parameter(lower(filter.tags))}::text[])
      )`,
    );
  if (filter.documentIds?.length)
    parts.push(`d.id = ANY(${parameter(filter.documentIds)}::uuid[])`);
  if (filter.addedFrom !== undefined)
    parts.push(`d.created_at >= ${parameter(momentOf(filter.addedFrom, 0))}::timestamptz`);
  if (filter.addedUntil !== undefined)
    parts.push(`d.created_at < ${parameter(momentOf(filter.addedUntil, 1))}::timestamptz`);
  return {
    condition: parts.length === 0 ? null : parts.map((part) => `(${part})`).join(" AND "),
    values,
  };
}

/**
 * A date means the start of that day (UTC), or its end with `days` = 1; a timestamp is used as it
 * is.
 */
function momentOf(text: string, days: number): Date {
  if (text.includes("T")) return new Date(text);
  const day = new Date(`${text}T00:00:00Z`);
  day.setUTCDate(day.getUTCDate() + days);
  return day;
}
