import { join } from "node:path";
import { Readable } from "node:stream";
import { instanceShape, loadConfig, type InstanceConfig } from "@carrel/config";
import { migrate } from "@carrel/database";
import { openBlobStore, putContent } from "@carrel/storage";
import { guardedFolder, startTestRedis, testDatabase, type TestDatabase } from "@carrel/testing";
import pg from "pg";
import { verifyArchive } from "./archive-reader.ts";
import { createBackup } from "./create-backup.ts";
import { restoreBackup } from "./restore-backup.ts";
import { databases } from "./service-databases.ts";

export const never = new AbortController().signal;

/** A backup of an instance of an older version, and instances to restore it into. */
export async function startBackupTest() {
  const folder = guardedFolder("carrel-backup-");
  const file = join(folder, "backup.tar");
  const opened: TestDatabase[] = [];
  const redis = await startTestRedis();
  const instance = async (home: string): Promise<InstanceConfig> => {
    const database = await testDatabase();
    opened.push(database);
    return loadConfig(instanceShape, {
      CARREL_HOME: join(folder, home),
      DATABASE_URL: database.url,
      REDIS_URL: redis.url,
    });
  };
  const source = await instance("source");
  for (const database of databases)
    await migrate(
      source.DATABASE_URL,
      database.schema === "chat"
        ? { ...database, migrations: database.migrations.slice(0, -1) }
        : database,
    );
  const bytes = Buffer.from("The original of the report.");
  const { key: originalKey } = await putContent(
    openBlobStore(source),
    Readable.from([bytes]),
    1000,
  );
  await query(
    source,
    `INSERT INTO auth."user" (username, password_hash, role) VALUES ('ana', 'hash', 'admin');
    INSERT INTO auth.session (id, user_id, method, expires_at)
    SELECT gen_random_uuid(), id, 'password', now() + interval '1 day' FROM auth."user";
    INSERT INTO workspace.preference (label, value) VALUES (E'tab\\tand\\nline \\\\', '"ä"');
    INSERT INTO workspace.webhook (sealed_url, description, events, enabled, sealed_secret)
    VALUES ('sealed', '', '{answer.finished}', true, 'sealed');
    INSERT INTO workspace.webhook_delivery (webhook_id, event_id, event, payload)
    SELECT id, gen_random_uuid(), 'answer.finished', '{}' FROM workspace.webhook;
    INSERT INTO chat.outbox (kind, name, payload) VALUES
      ('event', 'answer.finished', '{}'), ('event', 'event.recorded', '{}');
    INSERT INTO ingest.embedding_cache (model, content_hash, vector) VALUES ('m', '\\x01', '\\x00ff')`,
  );
  await createBackup(source, { file, vectors: true, signal: never });
  return {
    folder,
    file,
    originalKey,
    source,
    redis,
    instance,
    restore: async (
      config: InstanceConfig,
      options: { keyFile?: string; replace?: boolean; signal?: AbortSignal } = {},
    ) =>
      restoreBackup(config, {
        file,
        manifest: await verifyArchive(file, never),
        replace: false,
        signal: never,
        ...options,
      }),
    stop: async (): Promise<void> => {
      for (const database of opened) await database.drop();
      await redis.stop();
    },
  };
}

export async function query<T extends pg.QueryResultRow>(
  { DATABASE_URL }: InstanceConfig,
  sql: string,
): Promise<T[]> {
  const client = new pg.Client(DATABASE_URL);
  await client.connect();
  try {
    return (await client.query<T>(sql)).rows;
  } finally {
    await client.end();
  }
}
