import type { MigrationInterface, QueryRunner } from "typeorm";

/**
 * New content of documents. Until it is published, it is a row of `document` that `revises` the one
 * it will replace.
 */
export class AddRevisions1795911000000 implements MigrationInterface {
  readonly name = "AddRevisions1795911000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE ingest.document
      ADD COLUMN revises uuid REFERENCES ingest.document (id) ON DELETE CASCADE,
      ADD COLUMN revision integer NOT NULL DEFAULT 1,
      ADD COLUMN revised_at timestamptz(3),
      ADD COLUMN checked_at timestamptz(3)`);
    await runner.query(
      "CREATE INDEX document_revises_idx ON ingest.document (revises) WHERE revises IS NOT NULL",
    );
    // Whoever deletes a document with a revision needn't know of its original.
    await runner.query(`CREATE FUNCTION ingest.drop_revision() RETURNS trigger LANGUAGE plpgsql
      SET search_path = ingest, pg_temp AS $$ BEGIN
        INSERT INTO blob_garbage (blob_key) VALUES (OLD.blob_key)
        ON CONFLICT (blob_key) DO UPDATE SET created_at = now();
        RETURN NULL;
      END $$`);
    await runner.query(`CREATE TRIGGER drop_revision AFTER DELETE ON ingest.document
      FOR EACH ROW WHEN (OLD.revises IS NOT NULL AND OLD.blob_key IS NOT NULL)
      EXECUTE FUNCTION ingest.drop_revision()`);
    // The versions of workspace documents that a revision's rows are written under.
    await runner.query(`CREATE TABLE ingest.revision_publication (
      revision_id uuid NOT NULL REFERENCES ingest.document (id) ON DELETE CASCADE,
      workspace_document_id integer NOT NULL
        REFERENCES ingest.workspace_document (id) ON DELETE CASCADE,
      workspace_id integer NOT NULL,
      version integer NOT NULL,
      publication uuid NOT NULL,
      is_published boolean NOT NULL DEFAULT false,
      PRIMARY KEY (revision_id, workspace_document_id)
    )`);
    await runner.query(
      `CREATE INDEX revision_publication_document_idx
      ON ingest.revision_publication (workspace_document_id)`,
    );
    // However a publication ends, its rows in the indexes are swept.
    await runner.query(`CREATE FUNCTION ingest.drop_revision_publication() RETURNS trigger
      LANGUAGE plpgsql SET search_path = ingest, pg_temp AS $$ BEGIN
        INSERT INTO index_garbage (workspace_id, publication)
        VALUES (OLD.workspace_id, OLD.publication);
        RETURN NULL;
      END $$`);
    await runner.query(`CREATE TRIGGER drop_revision_publication
      AFTER DELETE ON ingest.revision_publication
      FOR EACH ROW WHEN (NOT OLD.is_published)
      EXECUTE FUNCTION ingest.drop_revision_publication()`);
    await runner.query(`CREATE TABLE ingest.document_version (
      document_id uuid NOT NULL REFERENCES ingest.document (id) ON DELETE CASCADE,
      number integer NOT NULL,
      title text NOT NULL,
      bytes bigint NOT NULL,
      word_count integer NOT NULL,
      text_length integer NOT NULL,
      text text,
      checked_at timestamptz(3),
      begun_at timestamptz(3) NOT NULL,
      replaced_at timestamptz(3) NOT NULL,
      PRIMARY KEY (document_id, number)
    )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("DROP TABLE ingest.document_version, ingest.revision_publication");
    await runner.query("DELETE FROM ingest.document WHERE revises IS NOT NULL");
    await runner.query("DROP TRIGGER drop_revision ON ingest.document");
    await runner.query("DROP FUNCTION ingest.drop_revision(), ingest.drop_revision_publication()");
    await runner.query(`ALTER TABLE ingest.document DROP COLUMN revises, DROP COLUMN revision,
      DROP COLUMN revised_at, DROP COLUMN checked_at`);
  }
}
