import { deriveKey, type InstanceConfig, type Secret } from "@carrel/config";
import { ensureServiceRole, migrate, type ServiceDatabase } from "@carrel/database";
import type { Logger } from "@carrel/observability";

/**
 * Creates the service's role and schema if they are missing, and runs the migrations that haven't
 * run yet, under a lock, so that any number of replicas may do this at once. Returns the URL to
 * connect with.
 */
export async function prepareDatabase(
  database: ServiceDatabase,
  config: InstanceConfig,
  secret: Secret,
  logger: Logger,
): Promise<string> {
  const role = await ensureServiceRole(
    config.DATABASE_URL,
    database.schema,
    deriveKey(secret, "database", database.schema).toString("base64url"),
  );
  if (role.refusal) logger.warn({ schema: database.schema }, role.refusal);
  const ran = await migrate(role.url, database);
  if (ran.length > 0) logger.info({ migrations: ran }, "database migrated");
  return role.url;
}
