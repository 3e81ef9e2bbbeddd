import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";

/** The checkout's root folder. */
export const root = resolve(import.meta.dirname, "..");

export interface InstanceSettings {
  /** Absolute path of the data folder; a relative CARREL_HOME is resolved against the checkout. */
  home: string;
  host: string;
  port: number;
  databaseUrl: string | undefined;
  redisUrl: string | undefined;
}

/** Reads a value like `loadConfig`, so that a command uses the same database as the services. */
function readValue(env: NodeJS.ProcessEnv, name: string): string | undefined {
  const value = env[name]?.trim();
  const file = env[`${name}_FILE`]?.trim();
  if (value || !file) return value || undefined;
  return readFileSync(file, "utf8").trim() || undefined;
}

/** The settings that the launcher itself needs; the services validate the whole environment. */
export function instanceSettings(env: NodeJS.ProcessEnv = process.env): InstanceSettings {
  return {
    home: resolve(root, env.CARREL_HOME?.trim() || ".carrel"),
    host: env.CARREL_HOST?.trim() || "127.0.0.1",
    port: Number(env.CARREL_PORT?.trim() || 3001),
    databaseUrl: readValue(env, "DATABASE_URL"),
    redisUrl: readValue(env, "REDIS_URL"),
  };
}

/** Shortest instance secret that the services accept. */
const shortestSecret = 32;

/**
 * Why the services would refuse the instance secret; null if they accept or create it. Asked before
 * a database is created, which would belong to no secret.
 */
export function findSecretFault(home: string, env: NodeJS.ProcessEnv = process.env): string | null {
  const secret = readValue(env, "CARREL_SECRET");
  if (secret !== undefined)
    return secret.length < shortestSecret
      ? `CARREL_SECRET must have at least ${shortestSecret} characters.\nWhat to do: set a longer one, for example of: openssl rand -base64 48`
      : null;
  const file = join(home, "secret.key");
  try {
    return readFileSync(file, "utf8").trim().length < shortestSecret
      ? `${file} is damaged: it must have at least ${shortestSecret} characters.\nWhat to do: restore it from the key that was exported, or remove it if this instance has no data yet.`
      : null;
  } catch {
    return null;
  }
}
