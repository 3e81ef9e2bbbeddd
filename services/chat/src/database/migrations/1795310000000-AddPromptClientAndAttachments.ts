import type { MigrationInterface, QueryRunner } from "typeorm";

export class AddPromptClientAndAttachments1795310000000 implements MigrationInterface {
  readonly name = "AddPromptClientAndAttachments1795310000000";

  async up(runner: QueryRunner): Promise<void> {
    // What the client reported about itself, for dates in prompts: a question may be queued, and
    // any replica may run it.
    await runner.query("ALTER TABLE generation ADD COLUMN time_zone text, ADD COLUMN locale text");
    // Images of deleted turns, until their blobs are deleted: turns can be deleted in many ways,
    // including cascades.
    await runner.query("CREATE TABLE released_attachment (key text PRIMARY KEY)");
    await runner.query(`CREATE FUNCTION note_released_attachments() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO released_attachment (key) SELECT attachment->>'blobKey' FROM json_array_elements(OLD.attachments) AS attachment
          WHERE attachment->>'blobKey' IS NOT NULL ON CONFLICT DO NOTHING;
        RETURN NULL;
      END $$`);
    await runner.query(
      `CREATE TRIGGER turn_attachments_released AFTER DELETE ON turn FOR EACH ROW WHEN (OLD.attachments::text <> '[]') EXECUTE FUNCTION note_released_attachments()`,
    );
    await runner.query(
      `CREATE INDEX turn_with_attachments ON turn (id) WHERE attachments::text <> '[]'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("DROP INDEX turn_with_attachments");
    await runner.query("DROP TRIGGER turn_attachments_released ON turn");
    await runner.query("DROP FUNCTION note_released_attachments()");
    await runner.query("DROP TABLE released_attachment");
    await runner.query("ALTER TABLE generation DROP COLUMN time_zone, DROP COLUMN locale");
  }
}
