import type { MigrationInterface, QueryRunner } from "typeorm";

/** Refused questions, of which those of visitors are deleted. */
export class IndexRefusals1796031000000 implements MigrationInterface {
  name = "IndexRefusals1796031000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query("CREATE INDEX turn_refused_idx ON turn (thread_id) WHERE refused");
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("DROP INDEX turn_refused_idx");
  }
}
