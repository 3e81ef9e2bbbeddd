import { preparedQuery } from "@carrel/database";
import { Reconciler, type OutboxMessage } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { DataSource } from "typeorm";
import { Batcher } from "../work-pool/batcher.ts";

interface Lookup {
  model: string;
  hashes: Buffer[];
}

/** Documents looked up in one statement. */
const maxPerStatement = 8;

/**
 * Vectors by content hash and model, shared by all documents with the same text. Holds no text and
 * names no document, so it has no owner.
 */
@Injectable()
export class EmbeddingCache {
  /** Documents published together are looked up together, and so embedded together. */
  private readonly lookups = new Batcher<Lookup, Map<string, Float32Array>>(
    (group) => this.findAll(group),
    { maxItems: maxPerStatement },
  );

  constructor(private readonly dataSource: DataSource) {}

  /** Found vectors count as used, which is recorded once a day. */
  find(model: string, hashes: Buffer[]): Promise<Map<string, Float32Array>> {
    return this.lookups.run({ model, hashes });
  }

  private async findAll(group: Lookup[]): Promise<Map<string, Float32Array>[]> {
    const known = new Map<string, Map<string, Float32Array>>();
    for (const [model, lookups] of Map.groupBy(group, (lookup) => lookup.model))
      known.set(
        model,
        await this.read(
          model,
          lookups.flatMap(({ hashes }) => hashes),
        ),
      );
    return group.map(
      ({ model, hashes }) =>
        new Map(
          hashes.flatMap((hash) => {
            const key = hash.toString("hex");
            const vector = known.get(model)!.get(key);
            return vector ? [[key, vector] as const] : [];
          }),
        ),
    );
  }

  private async read(model: string, hashes: Buffer[]): Promise<Map<string, Float32Array>> {
    const rows = await preparedQuery<{
      content_hash: Buffer;
      vector: Buffer;
      is_stale: boolean;
    }>(
      this.dataSource,
      "find vectors",
      `SELECT content_hash, vector, used_at < now() - interval '1 day' AS is_stale
      FROM ingest.embedding_cache
      WHERE model = $1 AND content_hash = ANY($2::bytea[])`,
      [model, hashes],
    );
    const stale = rows.filter((row) => row.is_stale).map((row) => row.content_hash);
    if (stale.length > 0)
      await this.dataSource.query(
        "UPDATE ingest.embedding_cache SET used_at = now() WHERE model = $1 AND content_hash = ANY($2::bytea[])",
        [model, stale],
      );
    return new Map(
      rows.map((row) => [
        row.content_hash.toString("hex"),
        new Float32Array(
          row.vector.buffer.slice(
            row.vector.byteOffset,
            row.vector.byteOffset + row.vector.byteLength,
          ),
        ),
      ]),
    );
  }

  /**
   * Doesn't wait for the disk: losing the rows in a crash only costs another call. Vectors
   * are sent as one value, because an array of them is sent and parsed as hexadecimal text.
   */
  async add(model: string, entries: { hash: Buffer; vector: Float32Array }[]): Promise<void> {
    for (const some of Map.groupBy(entries, ({ vector }) => vector.byteLength).values())
      await preparedQuery(
        this.dataSource,
        "cache vectors",
        `WITH unsynced AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true))
        INSERT INTO ingest.embedding_cache (model, content_hash, vector)
        SELECT $1, hash, substring($3::bytea, 1 + (n::int - 1) * $4::int, $4::int)
        FROM unsynced, unnest($2::bytea[]) WITH ORDINALITY AS added(hash, n)
        ON CONFLICT DO NOTHING`,
        [
          model,
          some.map(({ hash }) => hash),
          Buffer.concat(
            some.map(({ vector }) =>
              Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength),
            ),
          ),
          some[0]!.vector.byteLength,
        ],
      );
  }

  /**
   * Live vectors are in the index; the cache only saves work when the same text is embedded again.
   */
  async deleteUnused(days: number): Promise<void> {
    await this.dataSource.query(
      "DELETE FROM ingest.embedding_cache WHERE used_at < now() - $1 * interval '1 day'",
      [days],
    );
  }
}

const dayMs = 24 * 3_600_000;
const keepDays = 60;

/** Deletes vectors that have not been used for `keepDays`, once a day. */
@Injectable()
export class EmbeddingCacheReconciler extends Reconciler {
  private lastDaily = 0;

  constructor(private readonly cache: EmbeddingCache) {
    super();
  }

  override async due(): Promise<OutboxMessage[]> {
    if (Date.now() - this.lastDaily >= dayMs) {
      this.lastDaily = Date.now();
      await this.cache.deleteUnused(keepDays);
    }
    return [];
  }
}
