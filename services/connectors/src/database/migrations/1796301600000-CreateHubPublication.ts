import type { MigrationInterface, QueryRunner } from "typeorm";

/** Which items of hub folders were published from here, and what they were made of. */
export class CreateHubPublication1796301600000 implements MigrationInterface {
  readonly name = "CreateHubPublication1796301600000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE TABLE hub_publication (
        hub text NOT NULL,
        item_type text NOT NULL,
        item_id text NOT NULL,
        source text NOT NULL,
        PRIMARY KEY (hub, item_type, item_id),
        UNIQUE (hub, item_type, source)
      )`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("DROP TABLE hub_publication");
  }
}
