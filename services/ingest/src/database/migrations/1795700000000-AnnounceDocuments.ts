import type { MigrationInterface, QueryRunner } from "typeorm";

/**
 * Records `document.finished` in the outbox when a document of a workspace becomes searchable or
 * fails, while a webhook wants either.
 */
export class AnnounceDocuments1795700000000 implements MigrationInterface {
  readonly name = "AnnounceDocuments1795700000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE ingest.webhook_interest (
      version bigint NOT NULL,
      events text[] NOT NULL)`);
    await runner.query(`INSERT INTO ingest.webhook_interest VALUES (0, '{}')`);
    await runner.query(`CREATE FUNCTION ingest.announce_document() RETURNS trigger LANGUAGE plpgsql
      SET search_path = ingest, pg_temp AS $$
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
      WHERE document.id = NEW.document_id;
      PERFORM pg_notify('carrel_outbox_ingest', '');
      RETURN NULL;
    END $$`);
    await runner.query(`CREATE TRIGGER announce_new_document
      AFTER INSERT ON ingest.workspace_document
      FOR EACH ROW
      WHEN (NEW.searchable_at IS NOT NULL OR NEW.state = 'failed')
      EXECUTE FUNCTION ingest.announce_document()`);
    // Embedding a document that is searchable is no news.
    await runner.query(`CREATE TRIGGER announce_document
      AFTER UPDATE OF state, searchable_at ON ingest.workspace_document
      FOR EACH ROW
      WHEN (
        NEW.state = 'failed' AND OLD.state <> 'failed'
        OR NEW.state <> 'failed' AND NEW.searchable_at IS NOT NULL
          AND NEW.index_version IS DISTINCT FROM OLD.index_version
      )
      EXECUTE FUNCTION ingest.announce_document()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("DROP TRIGGER announce_document ON ingest.workspace_document");
    await runner.query("DROP TRIGGER announce_new_document ON ingest.workspace_document");
    await runner.query("DROP FUNCTION ingest.announce_document()");
    await runner.query("DROP TABLE ingest.webhook_interest");
  }
}
