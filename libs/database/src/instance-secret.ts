import pg from "pg";
import type { EntityManager } from "typeorm";

/** Proves that a process belongs to the instance that owns this database. */
export interface InstanceProof {
  /** Fingerprint of the instance secret. */
  fingerprint: string;
  /** The password that the instance gives the role of this schema. */
  password(schema: string): string;
}

/** This process has a different instance secret from the one the database belongs to. */
export class AnotherSecretError extends Error {
  override readonly name = "AnotherSecretError";
  constructor() {
    super(
      "This database belongs to an instance with another secret, so this process doesn't start: it would lock the others out.\nWhat to do: set CARREL_SECRET to the secret of that instance, or CARREL_HOME to the data folder with its secret.key. To rotate the secret, see docs/runbooks/rotate-secrets.md. If it was lost, stop all of Carrel, run ./carrel replace-secret with the new one, and start again.",
    );
  }
}

type Queries = Pick<pg.Client, "query">;

/** Not `carrel`: a schema named like the user comes first in that user's search path. */
const schema = "carrel_instance";
const table = `${schema}.secret`;
const insufficientPrivilege = "42501";

/**
 * Of the secret that the database belongs to. undefined: nothing was recorded yet; null: the next
 * process to start may record its own.
 */
export async function readFingerprint(client: Queries): Promise<string | null | undefined> {
  const {
    rows: [found],
  } = await client.query<{ exists: boolean }>("SELECT to_regclass($1) IS NOT NULL AS exists", [
    table,
  ]);
  if (!found?.exists) return undefined;
  const { rows } = await client.query<{ fingerprint: string | null }>(
    `SELECT fingerprint FROM ${table}`,
  );
  return rows[0]?.fingerprint;
}

/** Every role may read it, because services may each have a user of their own. */
export async function writeFingerprint(client: Queries, fingerprint: string | null): Promise<void> {
  await client.query(`CREATE SCHEMA IF NOT EXISTS ${schema}`);
  await client.query(
    `CREATE TABLE IF NOT EXISTS ${table} (
      id integer PRIMARY KEY DEFAULT 1 CHECK (id = 1), fingerprint text,
      recorded_at timestamptz NOT NULL DEFAULT now())`,
  );
  await client.query(
    `GRANT USAGE ON SCHEMA ${schema} TO PUBLIC; GRANT SELECT ON ${table} TO PUBLIC`,
  );
  await client.query(
    `INSERT INTO ${table} (fingerprint) VALUES ($1)
    ON CONFLICT (id) DO UPDATE SET fingerprint = excluded.fingerprint, recorded_at = now()`,
    [fingerprint],
  );
}

/** The first proof, then others that are accepted while the instance secret is rotated. */
export type InstanceProofs = readonly [InstanceProof, ...InstanceProof[]];

/**
 * Compares the secrets with the one that the database belongs to, and records the first if it
 * belongs to none. In a database from before fingerprints were recorded, the proof is that the
 * service's role accepts its password. Must run in a transaction that holds the lock of
 * `ensureServiceRole`. Returns the proof whose secret owns the database, and why it couldn't be
 * recorded, or null. Throws AnotherSecretError.
 */
export async function proveSecret(
  client: Queries,
  url: string,
  proofs: InstanceProofs,
): Promise<{ owner: InstanceProof; refusal: string | null }> {
  const recorded = await readFingerprint(client);
  const known = proofs.find(({ fingerprint }) => fingerprint === recorded);
  if (known !== undefined) return { owner: known, refusal: null };
  if (typeof recorded === "string") throw new AnotherSecretError();
  const owner = recorded === undefined ? await findWithPassword(client, url, proofs) : proofs[0];
  if (owner === undefined) throw new AnotherSecretError();
  await client.query("SAVEPOINT record");
  try {
    // The roles' passwords may reach the disk later, but not the record of who may set them.
    await client.query("SET LOCAL synchronous_commit = on");
    await writeFingerprint(client, owner.fingerprint);
    return { owner, refusal: null };
  } catch (error) {
    if ((error as { code?: string }).code !== insufficientPrivilege) throw error;
    await client.query("ROLLBACK TO SAVEPOINT record");
    return {
      owner,
      refusal: `the database user may not create the schema ${schema}, so a process with another secret goes unnoticed`,
    };
  }
}

/** The proof whose password a service's role accepts; the first if there are no roles. */
async function findWithPassword(
  client: Queries,
  url: string,
  proofs: InstanceProofs,
): Promise<InstanceProof | undefined> {
  const { rows } = await client.query<{ role: string; schema: string }>(
    `SELECT r.rolname AS role, n.nspname AS schema FROM pg_namespace n
    JOIN pg_roles r ON r.oid = n.nspowner
    WHERE r.rolname = left(current_database(), 62 - length(n.nspname)) || '_' || n.nspname
      AND r.rolname <> current_user
    LIMIT 1`,
  );
  const [found] = rows;
  return found === undefined ? proofs[0] : findAccepted(url, found, proofs);
}

/** The proof whose password this role accepts. */
export async function findAccepted(
  url: string,
  { role, schema }: { role: string; schema: string },
  proofs: InstanceProofs,
): Promise<InstanceProof | undefined> {
  for (const proof of proofs)
    if (await logsIn(roleUrl(url, role, proof.password(schema)))) return proof;
  return undefined;
}

async function logsIn(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, application_name: "carrel role" });
  try {
    await client.connect();
    return true;
  } catch (error) {
    if (isLoginRefused(error)) return false;
    throw error;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** PostgreSQL's codes for a wrong password, a missing role and a role that may not log in. */
export const isLoginRefused = (error: unknown): boolean =>
  ["28P01", "28000"].includes((error as { code?: string } | undefined)?.code ?? "");

export function roleUrl(url: string, role: string, password: string): string {
  const own = new URL(url);
  own.username = encodeURIComponent(role);
  own.password = encodeURIComponent(password);
  return own.toString();
}

/**
 * Assigns the database to another secret, or with null to the next process that starts. Only while
 * Carrel is stopped.
 */
export async function recordFingerprint(url: string, fingerprint: string | null): Promise<void> {
  const client = new pg.Client({ connectionString: url, application_name: "carrel restore" });
  await client.connect();
  try {
    await client.query("BEGIN");
    await writeFingerprint(client, fingerprint);
    await client.query("COMMIT");
  } finally {
    await client.end();
  }
}

/** Fingerprint of the secret that the database belongs to; null if it belongs to none. */
export async function readOwner(manager: EntityManager): Promise<string | null> {
  const query = async (text: string, values?: unknown[]) => ({
    rows: await manager.query<unknown[]>(text, values),
  });
  return (await readFingerprint({ query } as unknown as Queries)) ?? null;
}

/**
 * Refuses to read or change the database of another instance, whose secret has none of the
 * fingerprints. Throws AnotherSecretError.
 */
export async function refuseAnotherSecret(
  url: string,
  fingerprints: readonly string[],
): Promise<void> {
  const client = new pg.Client({ connectionString: url, application_name: "carrel backup" });
  await client.connect();
  try {
    const recorded = await readFingerprint(client);
    if (typeof recorded === "string" && !fingerprints.includes(recorded))
      throw new AnotherSecretError();
  } finally {
    await client.end();
  }
}
