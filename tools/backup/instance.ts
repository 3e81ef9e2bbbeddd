import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import {
  findSecret,
  instanceShape,
  loadConfig,
  otherSecret,
  secretFingerprint,
  type InstanceConfig,
} from "@carrel/config";
import { AnotherSecretError, refuseAnotherSecret } from "@carrel/database";
import { applyNetworkSettings } from "@carrel/egress";
import { startBackends, type Backends } from "../backends.ts";
import { instanceSettings } from "../checkout.ts";
import { claimHome, findLauncher } from "../data-folder.ts";
import { startPostgres } from "../postgres.ts";
import { PlainError } from "../terminal.ts";

function configOf(environment: NodeJS.ProcessEnv): InstanceConfig {
  const config = loadConfig(instanceShape, environment);
  applyNetworkSettings(config);
  return config;
}

/** Uses the running instance's database, or starts the data folder's for as long as it takes. */
export async function withDatabase(work: (config: InstanceConfig) => Promise<void>): Promise<void> {
  const { home, databaseUrl } = instanceSettings();
  const checked = async (config: InstanceConfig): Promise<void> => {
    const fingerprints = [findSecret(config), otherSecret(config)]
      .filter((secret) => secret !== null)
      .map(secretFingerprint);
    await refuseAnotherSecret(config.DATABASE_URL, fingerprints).catch((error: Error) => {
      throw error instanceof AnotherSecretError ? new PlainError(error.message) : error;
    });
    await work(config);
  };
  // A backup doesn't use Redis.
  const environment = {
    ...process.env,
    CARREL_HOME: home,
    REDIS_URL: process.env.REDIS_URL?.trim() || "redis://127.0.0.1:1",
  };
  if (databaseUrl !== undefined)
    return checked(configOf({ ...environment, DATABASE_URL: databaseUrl }));
  if (!existsSync(join(home, "postgres")))
    throw new PlainError(
      `There is nothing to back up: ${home} has no database.\nWhat to do: set CARREL_HOME to the data folder, or DATABASE_URL if PostgreSQL is a separate server.`,
    );
  const release = findLauncher(home) === null ? await claimHome(home) : null;
  try {
    const postgres = await startPostgres({ folder: join(home, "postgres") });
    try {
      await checked(configOf({ ...environment, DATABASE_URL: postgres.url }));
    } finally {
      if (release !== null) await postgres.stop();
    }
  } finally {
    release?.();
  }
}

/** The configuration if PostgreSQL and Redis are separate servers; null otherwise. */
export function separateServers(): InstanceConfig | null {
  const { home, databaseUrl, redisUrl } = instanceSettings();
  if (databaseUrl === undefined || redisUrl === undefined) return null;
  return configOf({ ...process.env, CARREL_HOME: home });
}

/** Starts the data folder's servers for as long as it takes; Carrel must be stopped. */
export async function withInstance(work: (config: InstanceConfig) => Promise<void>): Promise<void> {
  mkdirSync(instanceSettings().home, { recursive: true, mode: 0o700 });
  const release = await claimHome(instanceSettings().home);
  let backends: Backends | null = null;
  try {
    backends = await startBackends();
    await work(configOf(backends.environment));
  } finally {
    await backends?.stop();
    release();
  }
}
