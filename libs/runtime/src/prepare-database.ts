import { deriveKey, secretFingerprint, type InstanceConfig, type Secret } from "@carrel/config";
import {
  AnotherSecretError,
  ensureServiceRole,
  isLoginRefused,
  migrate,
  type InstanceProof,
  type LoginWatch,
  type ServiceDatabase,
} from "@carrel/database";
import type { Health, Logger } from "@carrel/observability";

interface Place {
  database: ServiceDatabase;
  config: InstanceConfig;
  secret: Secret;
  logger: Logger;
}

const proofOf = (secret: Secret): InstanceProof => ({
  fingerprint: secretFingerprint(secret),
  password: (schema) => deriveKey(secret, "database", schema).toString("base64url"),
});

/**
 * Creates the service's role and schema if they are missing, and runs pending migrations, under a
 * lock, so that any number of replicas may do this at once. Returns the URL to connect with. Throws
 * AnotherSecretError before it changes anything.
 */
export async function prepareDatabase(place: Place): Promise<string> {
  const { database, config, secret, logger } = place;
  const role = await ensureServiceRole(config.DATABASE_URL, database.schema, proofOf(secret));
  for (const refusal of role.refusals) logger.warn({ schema: database.schema }, refusal);
  const ran = await migrate(role.url, database);
  if (ran.length > 0) logger.info({ migrations: ran }, "database migrated");
  return role.url;
}

/**
 * Resets the role's password after somebody has changed it. If this process may not do that,
 * liveness fails, so that it is restarted and reports why, or finds the right settings.
 */
export function watchLogin(place: Place, health: Health): LoginWatch {
  const { database, config, secret, logger } = place;
  let recovering: Promise<void> | null = null;
  const recover = async (): Promise<void> => {
    try {
      await ensureServiceRole(config.DATABASE_URL, database.schema, proofOf(secret));
      logger.warn(
        { schema: database.schema },
        "the database role couldn't log in; its password is set again",
      );
    } catch (error) {
      if (isLoginRefused(error) || error instanceof AnotherSecretError)
        health.setFault(`${database.schema} login`, (error as Error).message);
      logger.error({ err: error, schema: database.schema }, "the database role can't log in");
      throw error;
    }
  };
  return {
    recover: () =>
      (recovering ??= recover().finally(() => {
        recovering = null;
      })),
    onLogin: () => health.setFault(`${database.schema} login`, null),
  };
}
