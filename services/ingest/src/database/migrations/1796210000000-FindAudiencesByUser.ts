import type { MigrationInterface, QueryRunner } from "typeorm";

/** A deleted user leaves every audience. */
export class FindAudiencesByUser1796210000000 implements MigrationInterface {
  readonly name = "FindAudiencesByUser1796210000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      "CREATE INDEX audience_member_user ON ingest.audience_member (user_id, audience_id)",
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("DROP INDEX ingest.audience_member_user");
  }
}
