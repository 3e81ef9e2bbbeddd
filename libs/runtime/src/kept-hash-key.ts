import { acceptedSecrets, deriveKey, secretFingerprint, type InstanceConfig } from "@carrel/config";
import { readOwner, SecretUnreadableError, type SecretBox } from "@carrel/database";
import type { DataSource, MigrationInterface, QueryRunner } from "typeorm";

/**
 * The migration for a service that keeps a hash key (`keptHashKey`); the timestamp has 13 digits.
 */
export function hashKeyMigration(schema: string, timestamp: string): new () => MigrationInterface {
  return class KeepHashKey implements MigrationInterface {
    readonly name = `KeepHashKey${timestamp}`;

    async up(runner: QueryRunner): Promise<void> {
      await runner.query(`CREATE TABLE ${schema}.hash_key (
        id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        sealed text NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now())`);
    }

    async down(runner: QueryRunner): Promise<void> {
      await runner.query(`DROP TABLE ${schema}.hash_key`);
    }
  };
}

/**
 * The key (32 bytes) under which a service hashes random codes, such as API keys. It is derived from
 * the instance secret once and then kept, sealed, in `<schema>.hash_key`: hashes can't be made again
 * under another key, so it has to outlive the secret (docs/decisions/secrets.md). A key that neither
 * accepted secret opens is left alone, in case its secret is found again, and a new one is used.
 */
export async function keptHashKey(
  dataSource: DataSource,
  {
    config,
    box,
    schema,
    name = "",
  }: { config: InstanceConfig; box: SecretBox; schema: string; name?: string },
): Promise<Buffer> {
  return dataSource.transaction(async (manager) => {
    await manager.query("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", [
      `carrel hash key ${schema}`,
    ]);
    const rows = await manager.query<{ sealed: string }[]>(
      `SELECT sealed FROM ${schema}.hash_key ORDER BY id DESC`,
    );
    for (const { sealed } of rows)
      try {
        return Buffer.from(box.open(sealed), "base64url");
      } catch (error) {
        if (!(error instanceof SecretUnreadableError)) throw error;
      }
    // Hashes from before keys were kept belong to the secret that the database belongs to.
    const secrets = acceptedSecrets(config);
    const owner = await readOwner(manager);
    const secret = secrets.find((each) => secretFingerprint(each) === owner) ?? secrets[0];
    const key = deriveKey(secret, "secrets", name);
    await manager.query(`INSERT INTO ${schema}.hash_key (sealed) VALUES ($1)`, [
      box.seal(key.toString("base64url")),
    ]);
    return key;
  });
}
