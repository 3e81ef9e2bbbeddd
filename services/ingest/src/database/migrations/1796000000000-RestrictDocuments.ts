import type { MigrationInterface, QueryRunner } from "typeorm";

/**
 * Who may see a document: an audience, or everyone in its workspaces. Citations outlive documents, so
 * whom a deleted one was for is kept. Events for webhooks name no restricted documents.
 */
export class RestrictDocuments1796000000000 implements MigrationInterface {
  readonly name = "RestrictDocuments1796000000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE ingest.audience (
      id integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
      digest text NOT NULL UNIQUE,
      used_at timestamptz NOT NULL DEFAULT now())`);
    await runner.query(`CREATE TABLE ingest.audience_member (
      audience_id integer NOT NULL REFERENCES ingest.audience (id) ON DELETE CASCADE,
      user_id integer NOT NULL,
      PRIMARY KEY (audience_id, user_id))`);
    await runner.query(
      "ALTER TABLE ingest.document ADD COLUMN audience_id integer REFERENCES ingest.audience (id)",
    );
    await runner.query(`CREATE INDEX document_restricted ON ingest.document (id)
      INCLUDE (audience_id, user_id) WHERE audience_id IS NOT NULL`);
    await runner.query(`CREATE INDEX document_audience ON ingest.document (audience_id)
      WHERE audience_id IS NOT NULL`);
    await runner.query(`CREATE TABLE ingest.deleted_restricted (
      document_id uuid PRIMARY KEY,
      audience_id integer NOT NULL,
      user_id integer)`);
    await runner.query(
      "CREATE INDEX deleted_restricted_audience ON ingest.deleted_restricted (audience_id)",
    );
    await runner.query(`CREATE FUNCTION ingest.note_deleted_restricted() RETURNS trigger
      LANGUAGE plpgsql SET search_path = ingest, pg_temp AS $$
    BEGIN
      INSERT INTO deleted_restricted VALUES (OLD.id, OLD.audience_id, OLD.user_id);
      RETURN NULL;
    END $$`);
    await runner.query(`CREATE TRIGGER note_deleted_restricted
      AFTER DELETE ON ingest.document
      FOR EACH ROW
      WHEN (OLD.audience_id IS NOT NULL)
      EXECUTE FUNCTION ingest.note_deleted_restricted()`);
    await runner.query(`CREATE OR REPLACE FUNCTION ingest.announce_document() RETURNS trigger
      LANGUAGE plpgsql SET search_path = ingest, pg_temp AS $$
    DECLARE
      outcome text := CASE WHEN NEW.state = 'failed' THEN 'failed' ELSE 'ready' END;
    BEGIN
      IF NOT EXISTS (
        SELECT 1 FROM webhook_interest WHERE 'document.' || outcome = ANY (events)
      ) THEN
        RETURN NULL;
      END IF;
      INSERT INTO outbox (kind, name, payload)
      SELECT 'event', 'document.finished',
        jsonb_build_object(
          'id', gen_random_uuid(), 'workspaceId', NEW.workspace_id, 'documentId', NEW.document_id,
          'title', document.title, 'docpath', document.docpath, 'state', outcome,
          'reason', CASE WHEN outcome = 'failed' THEN NEW.reason END,
          'at', to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
        )
      FROM document
      WHERE document.id = NEW.document_id AND document.audience_id IS NULL;
      PERFORM pg_notify('carrel_outbox_ingest', '');
      RETURN NULL;
    END $$`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("DROP TRIGGER note_deleted_restricted ON ingest.document");
    await runner.query("DROP FUNCTION ingest.note_deleted_restricted()");
    await runner.query("DROP TABLE ingest.deleted_restricted");
    await runner.query(`CREATE OR REPLACE FUNCTION ingest.announce_document() RETURNS trigger
      LANGUAGE plpgsql SET search_path = ingest, pg_temp AS $$ BEGIN RETURN NULL; END $$`);
    await runner.query("ALTER TABLE ingest.document DROP COLUMN audience_id");
    await runner.query("DROP TABLE ingest.audience_member, ingest.audience");
  }
}
