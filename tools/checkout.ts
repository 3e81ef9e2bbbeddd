import { resolve } from "node:path";

/** The checkout's root folder. */
export const root = resolve(import.meta.dirname, "..");

export interface InstanceSettings {
  /** Data folder, absolute; a relative CARREL_HOME counts from the checkout. */
  home: string;
  host: string;
  port: number;
  databaseUrl: string | undefined;
  redisUrl: string | undefined;
}

/** What the launcher itself must know of the environment; the services check the whole of it. */
export function instanceSettings(env: NodeJS.ProcessEnv = process.env): InstanceSettings {
  return {
    home: resolve(root, env.CARREL_HOME?.trim() || ".carrel"),
    host: env.CARREL_HOST?.trim() || "127.0.0.1",
    port: Number(env.CARREL_PORT?.trim() || 3001),
    databaseUrl: env.DATABASE_URL?.trim() || undefined,
    redisUrl: env.REDIS_URL?.trim() || undefined,
  };
}
