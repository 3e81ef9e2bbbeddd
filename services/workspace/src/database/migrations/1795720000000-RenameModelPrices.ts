import type { MigrationInterface, QueryRunner } from "typeorm";

/** The list of models' prices now also has other facts about models. */
export class RenameModelPrices1795720000000 implements MigrationInterface {
  name = "RenameModelPrices1795720000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      "UPDATE workspace.preference SET label = 'model_overrides' WHERE label = 'model_prices'",
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      "UPDATE workspace.preference SET label = 'model_prices' WHERE label = 'model_overrides'",
    );
  }
}
