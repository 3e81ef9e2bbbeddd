import type { MigrationInterface, QueryRunner } from "typeorm";

/**
 * Kinds by file extension, which says more than the MIME type (`text/plain` covers Markdown, code
 * and data alike). Later entries win.
 */
const kindsByEnding: [kind: string, pattern: string][] = [
  ["text", "\\.(txt|rst|org|adoc|rtf)$"],
  ["markdown", "\\.(md|markdown|mdx)$"],
  ["web", "\\.(html?|xhtml)$"],
  ["data", "\\.(json|jsonl|xml|ya?ml|toml)$"],
  ["sheet", "\\.(csv|tsv|xlsx?|ods)$"],
  ["word", "\\.(docx?|odt)$"],
  ["slides", "\\.(pptx?|odp)$"],
  ["pdf", "\\.pdf$"],
  ["book", "\\.epub$"],
  ["mail", "\\.(eml|mbox)$"],
];

/**
 * The library for the document manager: empty folders, tags, kinds, substring search and bulk
 * changes.
 */
export class AddLibrary1795290000000 implements MigrationInterface {
  name = "AddLibrary1795290000000";

  async up(runner: QueryRunner): Promise<void> {
    // Search ignores case and accents. Both functions depend only on their argument.
    await runner.query(`CREATE FUNCTION "ingest"."fold"("words" text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
      SELECT lower(regexp_replace(normalize("words", NFKD), '[\\u0300-\\u036f]', '', 'g')) $$`);
    // Trigrams, because the service's role may not install pg_trgm. The high cost makes the planner
    // prefer the index over computing them.
    await runner.query(`CREATE FUNCTION "ingest"."grams"("words" text) RETURNS text[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 5000 AS $$
      SELECT coalesce(array_agg(DISTINCT substr("words", "n", 3)), '{}') FROM generate_series(1, least(length("words"), 1000) - 2) AS "n" $$`);
    await runner.query(`ALTER TABLE "ingest"."document" ADD COLUMN "kind" text NOT NULL DEFAULT 'other', ADD COLUMN "tags" text[] NOT NULL DEFAULT '{}',
      ADD COLUMN "search" text GENERATED ALWAYS AS ("ingest"."fold"(left("title", 400) || ' ' || left("filename", 255) || ' ' || left("doc_author", 150) || ' ' || left("doc_source", 150))) STORED,
      ADD COLUMN "sort_title" text GENERATED ALWAYS AS (left("ingest"."fold"(left("title", 200)), 200)) STORED`);
    const byEnding = kindsByEnding
      .toReversed()
      .map(([kind, pattern]) => `WHEN lower("filename") ~ '${pattern}' THEN '${kind}'`)
      .join(" ");
    await runner.query(`UPDATE "ingest"."document" SET "kind" = CASE WHEN "chunk_source" LIKE 'link://%' THEN 'web' ${byEnding}
      WHEN "mime" = 'application/pdf' THEN 'pdf' WHEN "mime" = 'text/html' THEN 'web' WHEN "mime" = 'application/json' THEN 'data' WHEN "mime" = 'text/csv' THEN 'sheet' WHEN "mime" LIKE '%wordprocessingml%' THEN 'word'
      WHEN "mime" LIKE 'text/%' THEN 'text' ELSE 'other' END`);
    await runner.query(
      `CREATE INDEX "document_tags_idx" ON "ingest"."document" USING gin ("tags")`,
    );
    // Lists existing tags without scanning untagged documents.
    await runner.query(
      `CREATE INDEX "document_tagged_idx" ON "ingest"."document" ("id") WHERE "in_library" AND "tags" <> '{}'`,
    );
    await runner.query(
      `CREATE INDEX "document_search_idx" ON "ingest"."document" USING gin ("ingest"."grams"("search"))`,
    );
    // Only used for rare words. With statistics, the planner would spend seconds on common trigrams
    // every time it plans a query.
    await runner.query(
      `ALTER INDEX "ingest"."document_search_idx" ALTER COLUMN 1 SET STATISTICS 0`,
    );
    // One index per sort order. Titles are also cut after folding, which can expand one character
    // into eighteen, because index rows are limited in size.
    await runner.query(
      `CREATE INDEX "document_added_idx" ON "ingest"."document" ("created_at", "id") WHERE "in_library"`,
    );
    await runner.query(
      `CREATE INDEX "document_title_idx" ON "ingest"."document" ("sort_title", "id") WHERE "in_library"`,
    );
    await runner.query(
      `CREATE INDEX "document_bytes_idx" ON "ingest"."document" ("bytes", "id") WHERE "in_library"`,
    );
    await runner.query(
      `CREATE INDEX "document_place_idx" ON "ingest"."document" ("folder" text_pattern_ops, "state") WHERE "in_library"`,
    );
    await runner.query(
      `CREATE INDEX "workspace_document_page_idx" ON "ingest"."workspace_document" ("workspace_id", "id")`,
    );
    // Only explicitly created folders; others are derived from their documents.
    await runner.query(
      `CREATE TABLE "ingest"."folder" ("name" text PRIMARY KEY, "user_id" integer, "created_at" timestamptz(3) NOT NULL DEFAULT now())`,
    );
    await runner.query(`CREATE TABLE "ingest"."library_change" (
      "id" uuid PRIMARY KEY, "change" jsonb NOT NULL, "workspace_id" integer, "user_id" integer, "version" integer NOT NULL DEFAULT 1, "lease_until" timestamptz, "created_at" timestamptz(3) NOT NULL DEFAULT now(), "updated_at" timestamptz(3) NOT NULL DEFAULT now()
    )`);
    // Remaining items of a change; each row is deleted in the transaction that processes it.
    await runner.query(`CREATE TABLE "ingest"."library_change_item" (
      "change_id" uuid NOT NULL REFERENCES "ingest"."library_change" ("id") ON DELETE CASCADE, "document_id" uuid NOT NULL, PRIMARY KEY ("change_id", "document_id")
    )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ["library_change_item", "library_change", "folder"])
      await runner.query(`DROP TABLE "ingest"."${table}"`);
    for (const index of [
      "workspace_document_page_idx",
      "document_place_idx",
      "document_bytes_idx",
      "document_title_idx",
      "document_added_idx",
      "document_search_idx",
      "document_tagged_idx",
      "document_tags_idx",
    ])
      await runner.query(`DROP INDEX "ingest"."${index}"`);
    await runner.query(
      `ALTER TABLE "ingest"."document" DROP COLUMN "sort_title", DROP COLUMN "search", DROP COLUMN "tags", DROP COLUMN "kind"`,
    );
    for (const name of ["grams", "fold"])
      await runner.query(`DROP FUNCTION "ingest"."${name}"(text)`);
  }
}
