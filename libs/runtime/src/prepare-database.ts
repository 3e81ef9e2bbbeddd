import {
  acceptedSecrets,
  deriveKey,
  secretFingerprint,
  type InstanceConfig,
  type Secret,
} from "@carrel/config";
import {
  AnotherSecretError,
  ensureServiceRole,
  isLoginRefused,
  loginOf,
  migrate,
  type InstanceProof,
  type InstanceProofs,
  type LoginWatch,
  type ServiceDatabase,
} from "@carrel/database";
import type { Health, Logger } from "@carrel/observability";

interface Place {
  database: ServiceDatabase;
  config: Pick<
    InstanceConfig,
    "DATABASE_URL" | "DATABASE_OWNER_URL" | "CARREL_HOME" | "CARREL_SECRET" | "CARREL_SECRET_OTHER"
  >;
  logger: Logger;
}

const proofOf = (secret: Secret): InstanceProof => ({
  fingerprint: secretFingerprint(secret),
  password: (schema) => deriveKey(secret, "database", schema).toString("base64url"),
});

class DatabaseLoginError extends Error {
  override readonly name = "DatabaseLoginError";
  constructor(user: string, schema: string, reason: string) {
    super(
      `PostgreSQL doesn't let the user ${user} of DATABASE_URL in (${reason}).\nWhat to do: correct DATABASE_URL. If it is the own user of the service ${schema}, run the service's migration with DATABASE_OWNER_URL, which creates this user and sets its password.`,
    );
  }
}

export const proofsOf = (config: Parameters<typeof acceptedSecrets>[0]): InstanceProofs => {
  const [first, ...others] = acceptedSecrets(config);
  return [proofOf(first), ...others.map(proofOf)];
};

async function ensureRole({ database, config }: Omit<Place, "logger">) {
  const { DATABASE_URL: url, DATABASE_OWNER_URL: owner = url } = config;
  const login = loginOf(url);
  const own = login.name === loginOf(owner).name ? undefined : login;
  return ensureServiceRole(owner, database.schema, proofsOf(config), own);
}

/**
 * Creates the service's role and schema if they are missing, and runs pending migrations, under a
 * lock, so that any number of replicas may do this at once. Returns the URL to connect with and the
 * fingerprint of the secret that the database belongs to. Throws AnotherSecretError before it
 * changes anything, and DatabaseLoginError.
 */
export async function prepareDatabase(
  place: Place,
): Promise<{ url: string; fingerprint: string | null }> {
  const { database, config, logger } = place;
  const role = await ensureRole(place).catch((error: unknown) => {
    if (!isLoginRefused(error) || config.DATABASE_OWNER_URL !== undefined) throw error;
    const { name } = loginOf(config.DATABASE_URL);
    throw new DatabaseLoginError(name, database.schema, (error as Error).message);
  });
  for (const refusal of role.refusals) logger.warn({ schema: database.schema }, refusal);
  const ran = await migrate(role.url, database);
  if (ran.length > 0) logger.info({ migrations: ran }, "database migrated");
  return role;
}

/**
 * Resets the role's password after somebody has changed it, or follows it to another secret after a
 * rotation; `onUrl` gets the URL to connect with from then on. If this process may not do that,
 * liveness fails, so that it is restarted and reports why, or finds the right settings.
 */
export function watchLogin(place: Place, health: Health, onUrl: (url: string) => void): LoginWatch {
  const { database, logger } = place;
  let recovering: Promise<string> | null = null;
  const recover = async (): Promise<string> => {
    try {
      const { url } = await ensureRole(place);
      onUrl(url);
      logger.warn(
        { schema: database.schema },
        "the database role couldn't log in; its password is set again",
      );
      return url;
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
