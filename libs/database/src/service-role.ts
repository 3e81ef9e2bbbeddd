import pg from "pg";

/**
 * Creates a role for one service that owns its schema and has no other rights. Roles belong to the
 * whole server, so the name includes the database: `<database>_<schema>`. Returns the URL to
 * connect with. If the given user may not create roles, that is the given URL, along with the
 * reason for the caller to log.
 */
export async function ensureServiceRole(
  url: string,
  schema: string,
  password: string,
): Promise<{ url: string; refusal: string | null }> {
  const client = new pg.Client({
    connectionString: url,
    application_name: `carrel ${schema} role`,
  });
  await client.connect();
  try {
    const {
      rows: [me],
    } = await client.query<{ database: string; name: string; may: boolean }>(
      `SELECT current_database() AS database, current_user AS name,
        (rolsuper OR rolcreaterole) AS may
      FROM pg_roles
      WHERE rolname = current_user`,
    );
    if (!me?.may)
      return {
        url,
        refusal: `the database user ${me?.name ?? ""} may not create roles, so ${schema} shares it`,
      };
    // The server's limit is 63 bytes; the schema's name must not be cut off.
    const role = `${me.database.slice(0, 62 - schema.length)}_${schema}`;
    const [quotedRole, quotedSchema, quotedDatabase] = [role, schema, me.database].map((name) =>
      client.escapeIdentifier(name),
    );
    // One commit, which may reach the disk later: every start does this again.
    await client.query("BEGIN; SET LOCAL synchronous_commit = off");
    await client.query("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", ["carrel roles"]);
    const { rowCount } = await client.query("SELECT 1 FROM pg_roles WHERE rolname = $1", [role]);
    await client.query(
      `${rowCount ? "ALTER" : "CREATE"} ROLE ${quotedRole} WITH LOGIN NOSUPERUSER NOCREATEDB
      NOCREATEROLE NOINHERIT PASSWORD ${client.escapeLiteral(password)}`,
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
    await client.query("COMMIT");
    if (owner?.name !== role)
      return {
        url,
        refusal: `the schema ${schema} belongs to ${owner?.name ?? "another user"}, so it is used as the given user`,
      };
    const own = new URL(url);
    own.username = encodeURIComponent(role);
    own.password = encodeURIComponent(password);
    return { url: own.toString(), refusal: null };
  } finally {
    await client.end();
  }
}
