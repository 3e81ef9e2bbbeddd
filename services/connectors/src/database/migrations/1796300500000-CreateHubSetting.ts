import type { MigrationInterface, QueryRunner } from "typeorm";

/** Which community hub the instance uses; at most one row. */
export class CreateHubSetting1796300500000 implements MigrationInterface {
  readonly name = "CreateHubSetting1796300500000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE TABLE hub_setting (
        id boolean PRIMARY KEY DEFAULT true CHECK (id),
        source jsonb NOT NULL,
        downloads text NOT NULL,
        sealed_key text
      )`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("DROP TABLE hub_setting");
  }
}
