import type { MigrationInterface, QueryRunner } from "typeorm";

/** Cached vectors expire after their last use, not after their creation. */
export class TrackEmbeddingUse1795470000000 implements MigrationInterface {
  readonly name = "TrackEmbeddingUse1795470000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query("ALTER TABLE ingest.embedding_cache RENAME COLUMN created_at TO used_at");
    await runner.query(
      "ALTER INDEX ingest.embedding_cache_created_idx RENAME TO embedding_cache_used_idx",
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("ALTER TABLE ingest.embedding_cache RENAME COLUMN used_at TO created_at");
    await runner.query(
      "ALTER INDEX ingest.embedding_cache_used_idx RENAME TO embedding_cache_created_idx",
    );
  }
}
