import type { MigrationInterface, QueryRunner } from "typeorm";

/**
 * All contents of a plugin that were adopted from a folder or deleted: folders that still have one of
 * them, on other disks or in older images, aren't adopted again.
 */
export class RememberPluginFolders1796300450000 implements MigrationInterface {
  readonly name = "RememberPluginFolders1796300450000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE plugin_folder DROP CONSTRAINT plugin_folder_pkey,
      ADD PRIMARY KEY (hub_id, content_hash)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DELETE FROM plugin_folder f USING plugin_folder other
      WHERE f.hub_id = other.hub_id AND f.content_hash < other.content_hash`);
    await runner.query(`ALTER TABLE plugin_folder DROP CONSTRAINT plugin_folder_pkey,
      ADD PRIMARY KEY (hub_id)`);
  }
}
