import type { MigrationInterface, QueryRunner } from "typeorm";

/**
 * Records how answers were produced, separately from the turns: rarely read, pruned by age and
 * count, and deleted with the turn.
 */
export class CreateInspections1795370000000 implements MigrationInterface {
  name = "CreateInspections1795370000000";

  async up(runner: QueryRunner): Promise<void> {
    // Never searched, so json is enough: it is stored as received.
    await runner.query(`CREATE TABLE turn_inspection (
      turn_id integer PRIMARY KEY REFERENCES turn (id) ON DELETE CASCADE, record json NOT NULL, created_at timestamptz NOT NULL DEFAULT now())`);
    await runner.query("CREATE INDEX turn_inspection_created_idx ON turn_inspection (created_at)");
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("DROP TABLE turn_inspection");
  }
}
