import { isSecretMask } from "./skill-declaration.ts";
import {
  formatSqlAddress,
  parseSqlAddress,
  type SqlAddress,
  type SqlEngine,
} from "./sql-address.ts";

/** An engine and the connection string with its password: never for clients. */
export interface SqlServer {
  engine: SqlEngine;
  connectionString: string;
}

/** What the connection string says; null if it isn't valid. */
export function readSqlAddress({ engine, connectionString }: SqlServer): SqlAddress | null {
  try {
    return parseSqlAddress(engine, connectionString);
  } catch {
    return null;
  }
}

/**
 * The connection string with its password, and the options that replies leave out, where a client
 * sent back the mask. Saved ones are only used for the server that they were saved for; null if
 * there are none, so the password must be typed again. Throws `sql.connection-string-invalid`.
 */
export function fillSqlPassword(
  { engine, connectionString }: SqlServer,
  saved: readonly SqlServer[],
): string | null {
  const address = parseSqlAddress(engine, connectionString);
  if (!isSecretMask(address.password)) return connectionString;
  const servers = saved
    .filter((server) => server.engine === engine)
    .flatMap((server) => readSqlAddress(server) ?? [])
    .filter(
      ({ host, port }) =>
        host.toLowerCase() === address.host.toLowerCase() && port === address.port,
    );
  // Servers may have several users, with a password each.
  const same = servers.find(({ username }) => username === address.username) ?? servers[0];
  if (same === undefined) return null;
  const options = Object.keys(address.options).length > 0 ? address.options : same.options;
  return formatSqlAddress({ ...address, password: same.password, options });
}
