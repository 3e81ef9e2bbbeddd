import { chmodSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { instanceSettings } from "./checkout.ts";
import { startPostgres } from "./postgres.ts";
import { redisProgram } from "./redis-program.ts";
import { startRedis } from "./redis.ts";
import { PlainError, say } from "./terminal.ts";

export interface Backends {
  /** The environment with DATABASE_URL, REDIS_URL and an absolute CARREL_HOME. */
  environment: NodeJS.ProcessEnv;
  /** Process ids of the servers we started, for the memory figure. */
  processes: { name: string; pid: number }[];
  /** Stops Redis, then PostgreSQL; leaves external servers alone. */
  stop(): Promise<void>;
}

/**
 * Creates the data folder with access for its owner only, except that root's must be enterable by
 * the system user who runs PostgreSQL.
 */
export function prepareHome(home: string): void {
  try {
    mkdirSync(join(home, "logs"), { recursive: true, mode: 0o700 });
    chmodSync(home, process.getuid?.() === 0 ? 0o711 : 0o700);
    chmodSync(join(home, "logs"), 0o700);
  } catch (error) {
    throw new PlainError(
      `Can't use the data folder ${home}: ${(error as Error).message}\nWhat to do: make it writable, or set CARREL_HOME to another folder.`,
    );
  }
}

/**
 * Starts the data folder's PostgreSQL and Redis in parallel, each only if the environment names no
 * server.
 */
export async function startBackends(
  environment: NodeJS.ProcessEnv = process.env,
): Promise<Backends> {
  const { home, databaseUrl, redisUrl } = instanceSettings(environment);
  prepareHome(home);
  const postgresStart = databaseUrl
    ? null
    : startPostgres({
        folder: join(home, "postgres"),
        onInitialise: () => say("Creating the database (PostgreSQL, in the data folder)"),
      });
  const redisStart = redisUrl
    ? null
    : redisProgram().then((program) => startRedis({ folder: join(home, "redis"), program }));
  const [postgres, redis] = await Promise.allSettled([postgresStart, redisStart]);
  const stop = async () => {
    if (redis.status === "fulfilled") await redis.value?.stop();
    if (postgres.status === "fulfilled") await postgres.value?.stop();
  };
  for (const outcome of [postgres, redis])
    if (outcome.status === "rejected") {
      await stop();
      throw outcome.reason;
    }
  const servers = {
    postgres: postgres.status === "fulfilled" ? postgres.value : null,
    redis: redis.status === "fulfilled" ? redis.value : null,
  };
  if (servers.postgres?.adopted || servers.redis?.adopted)
    say("Taking over the servers of an earlier run that did not stop cleanly");
  return {
    environment: {
      // One process on one machine: whoever starts it decides what the machine computes.
      CARREL_LOCAL_MODELS: "true",
      ...environment,
      CARREL_HOME: home,
      DATABASE_URL: databaseUrl ?? servers.postgres!.url,
      REDIS_URL: redisUrl ?? servers.redis!.url,
    },
    processes: Object.entries(servers).flatMap(([name, server]) =>
      server ? [{ name, pid: server.pid }] : [],
    ),
    stop,
  };
}
