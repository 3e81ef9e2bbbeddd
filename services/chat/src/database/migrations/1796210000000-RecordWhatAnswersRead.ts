import type { MigrationInterface, QueryRunner } from "typeorm";

/**
 * Whether an answer has read content of others and content that not everybody may see, which later
 * answers of its thread repeat. null: unknown, as for every answer so far.
 */
export class RecordWhatAnswersRead1796210000000 implements MigrationInterface {
  readonly name = "RecordWhatAnswersRead1796210000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      "ALTER TABLE turn ADD COLUMN read_untrusted boolean, ADD COLUMN read_private boolean",
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("ALTER TABLE turn DROP COLUMN read_untrusted, DROP COLUMN read_private");
  }
}
