import type { MigrationInterface, QueryRunner } from "typeorm";

/** When a host that asks for pauses may be asked next, by whatever source and process. */
export class CreateHostTurns1796000000000 implements MigrationInterface {
  readonly name = "CreateHostTurns1796000000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE host_turn (
      host text PRIMARY KEY,
      next_at timestamptz NOT NULL)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("DROP TABLE host_turn");
  }
}
