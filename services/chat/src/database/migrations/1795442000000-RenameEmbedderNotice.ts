import type { MigrationInterface, QueryRunner } from "typeorm";

const rename = (from: string, to: string): string =>
  `UPDATE turn SET coded_notices = replace(coded_notices::text, '"${from}"', '"${to}"')::json
  WHERE coded_notices::text LIKE '%"${from}"%'`;

/** The code of a notice that is stored with turns was renamed. */
export class RenameEmbedderNotice1795442000000 implements MigrationInterface {
  readonly name = "RenameEmbedderNotice1795442000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(rename("notice.embedder-away", "notice.embedder-unreachable"));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(rename("notice.embedder-unreachable", "notice.embedder-away"));
  }
}
