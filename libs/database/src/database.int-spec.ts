import { testDatabase, type TestDatabase } from "@carrel/testing";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import pg from "pg";
import {
  Column,
  Entity,
  PrimaryGeneratedColumn,
  type MigrationInterface,
  type QueryRunner,
} from "typeorm";
import {
  AnotherSecretError,
  createDataSource,
  encryptedColumn,
  ensureServiceRole,
  migrate,
  recordFingerprint,
  SecretBox,
  type InstanceProof,
} from "./index.ts";

const proof = (secret: string): InstanceProof => ({
  fingerprint: `fingerprint of ${secret}`,
  password: (schema) => `${schema} of ${secret}`,
});

const box = new SecretBox(Buffer.alloc(32, 3));

@Entity()
class ApiKeyHolder {
  @PrimaryGeneratedColumn() id!: number;
  @Column({ type: "text" }) displayName!: string;
  @Column({ type: "text", nullable: true, transformer: encryptedColumn(() => box) }) apiKey!:
    | string
    | null;
}
class First1760000000000 implements MigrationInterface {
  readonly name = "First1760000000000";
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      "CREATE TABLE api_key_holder (id serial PRIMARY KEY, display_name text NOT NULL, api_key text)",
    );
    await runner.query("SELECT pg_sleep(0.2)");
  }
  async down(runner: QueryRunner): Promise<void> {
    await runner.query("DROP TABLE api_key_holder");
  }
}
class Second1760000000001 implements MigrationInterface {
  readonly name = "Second1760000000001";
  async up(runner: QueryRunner): Promise<void> {
    await runner.query("INSERT INTO api_key_holder (display_name) VALUES ('by migration')");
  }
  async down(): Promise<void> {
    throw new Error("never undone");
  }
}
const chat = {
  schema: "chat",
  entities: [ApiKeyHolder],
  migrations: [First1760000000000, Second1760000000001],
};

describe("database", () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await testDatabase();
  });
  afterAll(() => database?.drop());

  it("gives each service a role with rights only on its own schema", async () => {
    const own = await ensureServiceRole(database.url, "chat", proof("first"));
    expect(own.refusals).toEqual([]);
    // Replicas start at the same time.
    const again = await Promise.all(
      [1, 2, 3].map(() => ensureServiceRole(database.url, "chat", proof("first"))),
    );
    expect(new URL(again[0]!.url).username).toMatch(/_chat$/);
    const other = await ensureServiceRole(database.url, "ingest", proof("first"));
    await migrate(again[0]!.url, chat);
    const client = new pg.Client({ connectionString: other.url });
    await client.connect();
    await expect(client.query("SELECT * FROM chat.api_key_holder")).rejects.toThrow(
      /permission denied/,
    );
    await expect(client.query("CREATE TABLE chat.mine (id int)")).rejects.toThrow(
      /permission denied/,
    );
    await expect(client.query("CREATE SCHEMA another")).rejects.toThrow(/permission denied/);
    await client.query("CREATE TABLE ingest.mine (id int)");
    await client.end();
    const limited = await ensureServiceRole(other.url, "third", proof("first"));
    expect(limited).toEqual({
      url: other.url,
      refusals: [expect.stringContaining("may not create roles")],
    });
  });

  describe("of an instance", () => {
    let instance: TestDatabase;
    const connects = async (url: string): Promise<boolean> => {
      const client = new pg.Client({ connectionString: url });
      return client.connect().then(
        () => client.end().then(() => true),
        () => false,
      );
    };
    const execute = async (statement: string): Promise<void> => {
      const client = new pg.Client({ connectionString: instance.url });
      await client.connect();
      await client.query(statement).finally(() => client.end());
    };
    beforeAll(async () => {
      instance = await testDatabase();
    });
    afterAll(() => instance?.drop());

    it("refuses another secret and leaves the roles' passwords alone", async () => {
      const own = await ensureServiceRole(instance.url, "chat", proof("mine"));
      for (const schema of ["chat", "auth"])
        await expect(
          ensureServiceRole(instance.url, schema, proof("another")),
        ).rejects.toBeInstanceOf(AnotherSecretError);
      expect(await connects(own.url)).toBe(true);
    });

    it("takes the roles' passwords as proof where no fingerprint is recorded", async () => {
      await execute("DROP SCHEMA carrel_instance CASCADE");
      await expect(ensureServiceRole(instance.url, "auth", proof("another"))).rejects.toThrow(
        "belongs to an instance with another secret",
      );
      expect((await ensureServiceRole(instance.url, "auth", proof("mine"))).refusals).toEqual([]);
      await expect(
        ensureServiceRole(instance.url, "ingest", proof("another")),
      ).rejects.toBeInstanceOf(AnotherSecretError);
    });

    it("follows a secret that was replaced on purpose", async () => {
      await recordFingerprint(instance.url, proof("new").fingerprint);
      await expect(ensureServiceRole(instance.url, "chat", proof("mine"))).rejects.toBeInstanceOf(
        AnotherSecretError,
      );
      const { url } = await ensureServiceRole(instance.url, "chat", proof("new"));
      expect(await connects(url)).toBe(true);
      // Belongs to no instance, as after a restore without a key: the next to start claims it.
      await recordFingerprint(instance.url, null);
      await ensureServiceRole(instance.url, "chat", proof("next"));
      await expect(ensureServiceRole(instance.url, "chat", proof("new"))).rejects.toBeInstanceOf(
        AnotherSecretError,
      );
    });

    it("keeps a role's password if nobody proves the secret, and a role of another database", async () => {
      await ensureServiceRole(instance.url, "chat", null);
      const { url } = await ensureServiceRole(instance.url, "chat", proof("next"));
      await ensureServiceRole(instance.url, "chat", null);
      expect(await connects(url)).toBe(true);
      const third = await testDatabase();
      try {
        const role = `${new URL(third.url).pathname.slice(1)}_chat`;
        await execute(
          `CREATE ROLE ${role} LOGIN PASSWORD 'theirs'; CREATE SCHEMA theirs AUTHORIZATION ${role}`,
        );
        expect(await ensureServiceRole(third.url, "chat", proof("third"))).toEqual({
          url: third.url,
          refusals: [expect.stringContaining("belongs to another database")],
        });
        await execute(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
      } finally {
        await third.drop();
      }
    });
  });

  it("runs each migration once when five replicas start together", async () => {
    const fresh = await testDatabase();
    try {
      const ran = await Promise.all(Array.from({ length: 5 }, () => migrate(fresh.url, chat)));
      expect(ran.flat()).toEqual(["First1760000000000", "Second1760000000001"]);
      expect(await migrate(fresh.url, chat)).toEqual([]);
      const source = await createDataSource(fresh.url, chat).initialize();
      expect(await source.getRepository(ApiKeyHolder).count()).toBe(1);
      await source.destroy();
    } finally {
      await fresh.drop();
    }
  });

  it("maps camelCase to snake_case and keeps encrypted columns unreadable in the table", async () => {
    const { url } = await ensureServiceRole(database.url, "chat", proof("first"));
    const source = await createDataSource(url, chat, { poolSize: 2 }).initialize();
    const saved = await source
      .getRepository(ApiKeyHolder)
      .save({ displayName: "OpenAI", apiKey: "sk-123" });
    const [row] = await source.query<{ display_name: string; api_key: string }[]>(
      "SELECT * FROM api_key_holder WHERE id = $1",
      [saved.id],
    );
    expect(row!.display_name).toBe("OpenAI");
    expect(row!.api_key).toMatch(/^v1:/);
    expect(
      (await source.getRepository(ApiKeyHolder).findOneByOrFail({ id: saved.id })).apiKey,
    ).toBe("sk-123");
    // The entity and the migration define the same schema.
    expect(
      (await source.driver.createSchemaBuilder().log()).upQueries.map(({ query }) => query),
    ).toEqual([]);
    await source.destroy();
  });
});
