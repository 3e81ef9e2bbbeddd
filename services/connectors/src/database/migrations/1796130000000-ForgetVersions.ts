import type { MigrationInterface, QueryRunner } from "typeorm";

/** Versions used to be forgotten when a run began; now they are when its settings change. */
export class ForgetVersions1796130000000 implements MigrationInterface {
  readonly name = "ForgetVersions1796130000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `UPDATE source_item SET version = NULL
      WHERE connection_id IN (SELECT id FROM connection WHERE is_changed)`,
    );
  }

  // Versions that were forgotten are learned anew.
  async down(): Promise<void> {}
}
