import type { MigrationInterface, QueryRunner } from "typeorm";

/**
 * Records `answer.finished` in the outbox when a generation ends, whatever ends it, while a webhook
 * wants the event.
 */
export class AnnounceAnswers1795700000000 implements MigrationInterface {
  readonly name = "AnnounceAnswers1795700000000";

  async up(runner: QueryRunner): Promise<void> {
    const [{ schema }] = (await runner.query("SELECT current_schema() AS schema")) as [
      { schema: string },
    ];
    await runner.query(`CREATE TABLE webhook_interest (
      version bigint NOT NULL,
      events text[] NOT NULL)`);
    await runner.query(`INSERT INTO webhook_interest VALUES (0, '{}')`);
    await runner.query(`CREATE FUNCTION announce_answer() RETURNS trigger LANGUAGE plpgsql
      SET search_path = "${schema}", pg_temp AS $$
    BEGIN
      IF NOT EXISTS (SELECT 1 FROM webhook_interest WHERE 'answer.finished' = ANY (events)) THEN
        RETURN NULL;
      END IF;
      INSERT INTO outbox (kind, name, payload)
      SELECT 'event', 'answer.finished',
        jsonb_build_object(
          'id', NEW.id, 'workspaceId', NEW.workspace_id, 'chatId', NEW.turn_id,
          'threadSlug', thread.slug, 'userId', NEW.user_id, 'state', NEW.state,
          'at', to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
        )
      FROM thread
      WHERE thread.id = NEW.thread_id;
      PERFORM pg_notify('carrel_outbox_${schema}', '');
      RETURN NULL;
    END $$`);
    await runner.query(`CREATE TRIGGER announce_answer
      AFTER UPDATE OF state ON generation
      FOR EACH ROW
      WHEN (
        NEW.state IN ('done', 'failed', 'cancelled') AND OLD.state IN ('queued', 'running')
      )
      EXECUTE FUNCTION announce_answer()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("DROP TRIGGER announce_answer ON generation");
    await runner.query("DROP FUNCTION announce_answer()");
    await runner.query("DROP TABLE webhook_interest");
  }
}
