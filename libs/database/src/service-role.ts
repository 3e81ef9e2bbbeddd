import pg from "pg";
import { proveSecret, roleUrl, type InstanceProof } from "./instance-secret.ts";

/**
 * Creates a role for one service that owns its schema and has no other rights. Roles belong to the
 * whole server, so the name includes the database: `<database>_<schema>`. Its password is set only
 * for a process that has the instance's secret; with null, a new role gets one that nobody knows.
 * Returns the URL to connect with. If the given user may not create roles, that is the given URL,
 * along with the reason for the caller to log. Throws AnotherSecretError.
 */
export async function ensureServiceRole(
  url: string,
  schema: string,
  proof: InstanceProof | null,
): Promise<{ url: string; refusals: string[] }> {
  const client = new pg.Client({
    connectionString: url,
    application_name: `carrel ${schema} role`,
  });
  await client.connect();
  try {
    // One commit, which may reach the disk later: every start repeats this.
    await client.query("BEGIN; SET LOCAL synchronous_commit = off");
    await client.query("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", ["carrel roles"]);
    const unrecorded = proof && (await proveSecret(client, url, proof));
    const refusal = await setUpRole(client, schema, proof);
    await client.query("COMMIT");
    const refusals = [unrecorded, refusal.reason].filter((reason) => reason !== null);
    if (refusal.reason !== null || proof === null) return { url, refusals };
    return { url: roleUrl(url, refusal.role, proof.password(schema)), refusals };
  } finally {
    await client.end();
  }
}

/** Returns the role, and why the service can't use it (null if it can). */
async function setUpRole(
  client: pg.Client,
  schema: string,
  proof: InstanceProof | null,
): Promise<{ role: string; reason: string | null }> {
  const {
    rows: [me],
  } = await client.query<{ database: string; name: string; may: boolean }>(
    `SELECT current_database() AS database, current_user AS name,
      (rolsuper OR rolcreaterole) AS may
    FROM pg_roles
    WHERE rolname = current_user`,
  );
  // The server's limit is 63 bytes; the schema's name must not be cut off.
  const role = `${me!.database.slice(0, 62 - schema.length)}_${schema}`;
  if (!me!.may)
    return {
      role,
      reason: `the database user ${me!.name} may not create roles, so ${schema} shares it`,
    };
  const [quotedRole, quotedSchema, quotedDatabase] = [role, schema, me!.database].map((name) =>
    client.escapeIdentifier(name),
  );
  const {
    rows: [present],
  } = await client.query<{ elsewhere: boolean }>(
    `SELECT EXISTS (
      SELECT 1 FROM pg_shdepend d
      WHERE d.refclassid = 'pg_authid'::regclass AND d.refobjid = r.oid AND d.deptype = 'o'
        AND d.dbid NOT IN (0, (SELECT oid FROM pg_database WHERE datname = current_database()))
    ) AS elsewhere
    FROM pg_roles r
    WHERE r.rolname = $1`,
    [role],
  );
  if (present?.elsewhere)
    return {
      role,
      reason: `the role ${role} belongs to another database, so ${schema} is used as the given user`,
    };
  const attributes = "WITH LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOINHERIT";
  if (!present || proof)
    await client.query(
      `${present ? "ALTER" : "CREATE"} ROLE ${quotedRole} ${attributes}
      PASSWORD ${proof ? client.escapeLiteral(proof.password(schema)) : "NULL"}`,
    );
  await client.query(`GRANT ${quotedRole} TO current_user`);
  await client.query(`GRANT CONNECT ON DATABASE ${quotedDatabase} TO ${quotedRole}`);
  await client.query(`CREATE SCHEMA IF NOT EXISTS ${quotedSchema} AUTHORIZATION ${quotedRole}`);
  const {
    rows: [owner],
  } = await client.query<{ name: string }>(
    `SELECT r.rolname AS name FROM pg_namespace n
    JOIN pg_roles r ON r.oid = n.nspowner
    WHERE n.nspname = $1`,
    [schema],
  );
  return {
    role,
    reason:
      owner?.name === role
        ? null
        : `the schema ${schema} belongs to ${owner?.name ?? "another user"}, so it is used as the given user`,
  };
}
