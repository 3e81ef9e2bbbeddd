import pg from "pg";
import {
  AnotherSecretError,
  findAccepted,
  proveSecret,
  readFingerprint,
  roleUrl,
  writeFingerprint,
  type InstanceProof,
  type InstanceProofs,
} from "./instance-secret.ts";

/** The user that a service logs in as, if that isn't its role. */
export interface ServiceLogin {
  name: string;
  password: string;
}

/** For new roles only: an owner without superuser rights may not name these of an existing one. */
const unprivileged = "NOSUPERUSER NOCREATEDB NOCREATEROLE";

/** The user of a URL, percent-decoded. */
export function loginOf(url: string): ServiceLogin {
  const { username, password } = new URL(url);
  return { name: decodeURIComponent(username), password: decodeURIComponent(password) };
}

/**
 * Creates a role for one service that owns its schema and has no other rights. Roles belong to the
 * whole server, so the name includes the database: `<database>_<schema>`. Its password is set only
 * for a process that has the instance's secret; with null, a new role gets one that nobody knows.
 * While the secret is rotated, it follows the secret that the database belongs to. Returns the URL
 * to connect with, and that secret's fingerprint. With a login, that user is created, too, and always
 * acts as the role, which then has no password. If the given user is the service's own, or may not
 * create roles, the URL is the given one, in the second case along with the reason for the caller to
 * log. Throws AnotherSecretError.
 */
export async function ensureServiceRole(
  url: string,
  schema: string,
  proofs: InstanceProofs | null,
  login?: ServiceLogin,
): Promise<{ url: string; refusals: string[]; fingerprint: string | null }> {
  const client = new pg.Client({
    connectionString: url,
    application_name: `carrel ${schema} role`,
  });
  await client.connect();
  try {
    // One commit, which may reach the disk later: every start repeats this.
    await client.query("BEGIN; SET LOCAL synchronous_commit = off");
    await lockRoles(client);
    const proven = proofs && (await proveSecret(client, url, proofs));
    const owner = proven?.owner ?? null;
    const { role, isOwn, reason } = await setUpRole(client, schema, login ? null : owner);
    if (login && reason === null && !isOwn) await setUpLogin(client, role, login);
    await client.query("COMMIT");
    const refusals = [proven?.refusal ?? null, reason].filter((text) => text !== null);
    const found = { refusals, fingerprint: owner?.fingerprint ?? null };
    if (login) return { ...found, url: roleUrl(url, login.name, login.password) };
    if (isOwn || reason !== null || owner === null) return { ...found, url };
    return { ...found, url: roleUrl(url, role, owner.password(schema)) };
  } finally {
    await client.end();
  }
}

/**
 * Sessions of the login start as the role, so that whatever they create belongs to it. The role
 * itself can no longer log in, unless a process of the previous version still does.
 */
async function setUpLogin(client: pg.Client, role: string, login: ServiceLogin): Promise<void> {
  const { rows } = await client.query<{ name: string; present: boolean; used: boolean }>(
    `SELECT current_database() AS name,
      EXISTS (SELECT 1 FROM pg_roles WHERE rolname = $1) AS present,
      EXISTS (SELECT 1 FROM pg_stat_activity WHERE usename = $2) AS used`,
    [login.name, role],
  );
  const { name: database, present, used } = rows[0]!;
  const [quotedLogin, quotedRole, quotedDatabase] = [login.name, role, database].map((name) =>
    client.escapeIdentifier(name),
  );
  await client.query(
    `${present ? "ALTER" : "CREATE"} ROLE ${quotedLogin} WITH LOGIN ${present ? "" : unprivileged} INHERIT
    PASSWORD ${client.escapeLiteral(login.password)}`,
  );
  if (login.name === role) return;
  await client.query(`GRANT ${quotedRole} TO ${quotedLogin}`);
  await client.query(
    `ALTER ROLE ${quotedLogin} IN DATABASE ${quotedDatabase} SET role = ${client.escapeLiteral(role)}`,
  );
  if (!used) await client.query(`ALTER ROLE ${quotedRole} WITH NOLOGIN PASSWORD NULL`);
}

/**
 * Moves the database from one of the secrets to the first: records its fingerprint and gives its
 * passwords to the services' roles that have one of these secrets' passwords, in one transaction.
 * Open connections stay; a new login with the previous password is refused, upon which a service that
 * accepts both secrets uses the new one. Repeating it changes nothing. Throws AnotherSecretError.
 */
export async function moveToSecret(
  url: string,
  schemas: readonly string[],
  proofs: InstanceProofs,
): Promise<void> {
  const client = new pg.Client({ connectionString: url, application_name: "carrel rotation" });
  await client.connect();
  try {
    await client.query("BEGIN");
    await lockRoles(client);
    const recorded = await readFingerprint(client);
    if (typeof recorded === "string" && !proofs.some(({ fingerprint }) => fingerprint === recorded))
      throw new AnotherSecretError();
    // Where the user may not create the table, nothing is recorded.
    if (recorded !== undefined) await writeFingerprint(client, proofs[0].fingerprint);
    for (const schema of schemas)
      if (await hasDerivedPassword(client, url, schema, proofs))
        await setUpRole(client, schema, proofs[0]);
    await client.query("COMMIT");
  } finally {
    await client.end();
  }
}

const lockRoles = (client: pg.Client): Promise<unknown> =>
  client.query("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", ["carrel roles"]);

/**
 * False if the service logs in as another user, which leaves its role without a password, or if that
 * user is named like the role, whose password then isn't derived from the secret.
 */
async function hasDerivedPassword(
  client: pg.Client,
  url: string,
  schema: string,
  proofs: InstanceProofs,
): Promise<boolean> {
  const { rows } = await client.query<{ role: string }>(
    `SELECT rolname AS role FROM pg_roles
    WHERE rolcanlogin AND rolname = left(current_database(), 62 - length($1)) || '_' || $1`,
    [schema],
  );
  const [found] = rows;
  if (found === undefined) return false;
  return (await findAccepted(url, { role: found.role, schema }, proofs)) !== undefined;
}

/** Returns the role, whether the client acts as it, and why the service can't use it (null if it can). */
async function setUpRole(
  client: pg.Client,
  schema: string,
  proof: InstanceProof | null,
): Promise<{ role: string; isOwn: boolean; reason: string | null }> {
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
  if (me!.name === role) return { role, isOwn: true, reason: null };
  if (!me!.may)
    return {
      role,
      isOwn: false,
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
      isOwn: false,
      reason: `the role ${role} belongs to another database, so ${schema} is used as the given user`,
    };
  if (!present || proof)
    await client.query(
      `${present ? "ALTER" : "CREATE"} ROLE ${quotedRole} WITH LOGIN ${present ? "" : unprivileged} NOINHERIT
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
    isOwn: false,
    reason:
      owner?.name === role
        ? null
        : `the schema ${schema} belongs to ${owner?.name ?? "another user"}, so it is used as the given user`,
  };
}
