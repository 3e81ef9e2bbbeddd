import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Redis } from "ioredis";
import pg from "pg";

/** Contents of a store, by name (of a table, a key or a file). */
export type StoredData = Map<string, string>;

/** Every table of a database, like a dump; `bytea` is in hex. */
export async function readTables(databaseUrl: string): Promise<StoredData> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
       WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
    );
    const data: StoredData = new Map();
    for (const { name } of tables) {
      const { rows } = await client.query<{ row: string }>(
        `SELECT row_to_json(each)::text AS row FROM ${name} AS each`,
      );
      data.set(name, rows.map(({ row }) => row).join("\n"));
    }
    return data;
  } finally {
    await client.end();
  }
}

/** Every key of a Redis with its value. */
export async function readRedis(url: string): Promise<StoredData> {
  const redis = new Redis(url, { maxRetriesPerRequest: 0 });
  const read = async (key: string): Promise<unknown> => {
    switch (await redis.type(key)) {
      case "string":
        return redis.get(key);
      case "hash":
        return redis.hgetall(key);
      case "list":
        return redis.lrange(key, 0, -1);
      case "set":
        return redis.smembers(key);
      case "zset":
        return redis.zrange(key, 0, -1);
      case "stream":
        return redis.xrange(key, "-", "+");
      default:
        return ""; // it has expired
    }
  };
  try {
    const data: StoredData = new Map();
    for (const key of await redis.keys("*")) data.set(key, JSON.stringify(await read(key)));
    return data;
  } finally {
    redis.disconnect();
  }
}

/** Stores a text as the value of a key. */
export async function storeInRedis(url: string, text: string): Promise<void> {
  const redis = new Redis(url, { maxRetriesPerRequest: 0 });
  try {
    await redis.set("stored by a test", text);
  } finally {
    redis.disconnect();
  }
}

/** The files in which a Redis on this machine keeps its data; empty if it runs in a container. */
export async function readRedisFiles(url: string): Promise<StoredData> {
  const redis = new Redis(url, { maxRetriesPerRequest: 0 });
  try {
    const [, folder = ""] = (await redis.config("GET", "dir")) as string[];
    const files = existsSync(join(folder, "redis.pid")) ? readFiles(folder) : [];
    return new Map([...files].filter(([name]) => /\.(?:aof|rdb)$/.test(name)));
  } finally {
    redis.disconnect();
  }
}

/** All files below a folder. */
export function readFiles(folder: string): StoredData {
  const data: StoredData = new Map();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) {
      const file = join(entry.parentPath, entry.name);
      data.set(file, readFileSync(file, "latin1"));
    }
  return data;
}
