import { databaseUrl, loadConfig, processShape, sharedSecret } from "@carrel/config";
import { applyNetworkSettings } from "@carrel/egress";
import { createLogger } from "@carrel/observability";
import { plainReason, prepareDatabase } from "@carrel/runtime";
import { PlainError } from "../terminal.ts";
import { databases } from "./service-databases.ts";

/** Variable with the URL of a service's own user, named by its schema. */
const variableOf = (schema: string): string => `DATABASE_URL_${schema.toUpperCase()}`;

const shape = {
  ...processShape,
  DATABASE_OWNER_URL: databaseUrl,
  ...Object.fromEntries(databases.map(({ schema }) => [variableOf(schema), databaseUrl])),
};

/**
 * `migrate` of the images, before the services of a version start: creates the user of each service
 * and runs all pending migrations.
 */
export async function migrateAll(
  args: readonly string[],
  environment: NodeJS.ProcessEnv = process.env,
): Promise<void> {
  if (args.length > 0) throw new PlainError("migrate takes no arguments.");
  if (environment.DATABASE_URL?.trim())
    throw new PlainError(
      "DATABASE_URL is set, probably in carrel.env. The services would use it in place of their own users' URLs, while migrate prepares the database of DATABASE_OWNER_URL. Nothing was changed.\nWhat to do: remove DATABASE_URL from carrel.env. If it names an external PostgreSQL, write it to deploy/compose/external/database-owner-url: deploy/compose/README.md, External PostgreSQL or Redis.",
    );
  const config = loadConfig(shape, {
    ...environment,
    // A migration doesn't use Redis.
    REDIS_URL: environment.REDIS_URL?.trim() || "redis://127.0.0.1:1",
  });
  applyNetworkSettings(config);
  const urls = config as unknown as Record<string, string>;
  sharedSecret(config);
  const logger = createLogger("migrate", config.CARREL_LOG_LEVEL);
  for (const database of databases) {
    const own = {
      ...config,
      DATABASE_URL: urls[variableOf(database.schema)]!,
    };
    await prepareDatabase({ database, config: own, logger }).catch((error: unknown) => {
      const reason = plainReason(error);
      throw reason === null ? error : new PlainError(reason);
    });
  }
  logger.info("the database is up to date");
}
