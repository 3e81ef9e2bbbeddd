import { poll, testDatabase, type TestDatabase } from "@carrel/testing";
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
  loginOf,
  migrate,
  moveToSecret,
  recordFingerprint,
  SecretBox,
  type InstanceProof,
  type InstanceProofs,
} from "./index.ts";

const proofOf = (secret: string): InstanceProof => ({
  fingerprint: `fingerprint of ${secret}`,
  password: (schema) => `${schema} of ${secret}`,
});
const proof = (secret: string): InstanceProofs => [proofOf(secret)];

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
      fingerprint: "fingerprint of first",
      refusals: [expect.stringContaining("may not create roles")],
    });
  });

  it("gives a login the rights of its service's role, and the role no login", async () => {
    const fresh = await testDatabase();
    const name = new URL(fresh.url).pathname.slice(1);
    const login = { name: `${name}_chat_login`, password: "first / password" };
    const query = async (url: string, statement: string): Promise<unknown[]> => {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      return client
        .query(statement)
        .then(({ rows }) => rows as unknown[])
        .finally(() => client.end());
    };
    try {
      const previous = await ensureServiceRole(fresh.url, "chat", proof("mine"));
      const running = new pg.Client({ connectionString: previous.url });
      await running.connect();
      const own = await ensureServiceRole(fresh.url, "chat", proof("mine"), login);
      expect(own.refusals).toEqual([]);
      expect(loginOf(own.url)).toEqual(login);
      // A rolling upgrade: a replica that logs in as the role keeps doing so.
      await query(previous.url, "SELECT 1");
      await running.end();
      await poll(() =>
        ensureServiceRole(fresh.url, "chat", proof("mine"), login).then(() =>
          query(previous.url, "SELECT 1").catch((error: { code: string }) => error.code),
        ),
      ).toMatch(/^28/);

      await ensureServiceRole(fresh.url, "ingest", proof("mine"));
      await query(fresh.url, "CREATE TABLE ingest.theirs (id int)");
      await migrate(own.url, chat);
      expect(await query(own.url, "SELECT session_user, current_user")).toEqual([
        { session_user: login.name, current_user: `${name}_chat` },
      ]);
      expect(await query(own.url, "SELECT count(*)::int FROM chat.api_key_holder")).toEqual([
        { count: 1 },
      ]);
      for (const statement of [
        "SELECT * FROM ingest.theirs",
        "CREATE SCHEMA another",
        "CREATE ROLE another",
        `SET ROLE ${name}_ingest`,
      ])
        await expect(query(own.url, statement)).rejects.toThrow(/permission denied/);

      // The service itself starts with this URL alone; with another secret, it doesn't.
      expect(await ensureServiceRole(own.url, "chat", proof("mine"))).toEqual({
        url: own.url,
        refusals: [],
        fingerprint: "fingerprint of mine",
      });
      await expect(ensureServiceRole(own.url, "chat", proof("another"))).rejects.toBeInstanceOf(
        AnotherSecretError,
      );
      const changed = await ensureServiceRole(fresh.url, "chat", proof("mine"), {
        ...login,
        password: "second",
      });
      await query(changed.url, "SELECT 1");
      await expect(query(own.url, "SELECT 1")).rejects.toThrow(/password authentication failed/);
    } finally {
      await fresh.drop();
    }
  });

  it("needs no more of the owner than the right to create roles", async () => {
    const managed = await testDatabase();
    const name = new URL(managed.url).pathname.slice(1);
    const connect = async (url: string): Promise<pg.Client> => {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      return client;
    };
    const admin = await connect(managed.url);
    try {
      await admin.query(
        `CREATE ROLE ${name}_owner LOGIN CREATEROLE NOSUPERUSER PASSWORD 'owner';
        ALTER DATABASE ${name} OWNER TO ${name}_owner`,
      );
      const owner = new URL(managed.url);
      [owner.username, owner.password] = [`${name}_owner`, "owner"];
      const login = (password: string) => ({ name: `${name}_chat_login`, password });
      // With each upgrade, the migration does this again.
      for (const password of ["first", "second"]) {
        const own = await ensureServiceRole(owner.href, "chat", proof("mine"), login(password));
        expect(own.refusals).toEqual([]);
        await (await connect(own.url)).end();
      }
      const shared = await ensureServiceRole(owner.href, "ingest", proof("mine"));
      await (await connect(shared.url)).end();

      await moveToSecret(owner.href, ["chat", "ingest"], [proofOf("next"), proofOf("mine")]);
      await expect(connect(shared.url)).rejects.toThrow(/password authentication failed/);
      await (
        await connect((await ensureServiceRole(owner.href, "ingest", proof("next"))).url)
      ).end();
      const own = await ensureServiceRole(owner.href, "chat", proof("next"), login("third"));
      await migrate(own.url, chat);
    } finally {
      await admin.end();
      await managed.drop();
    }
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
      await recordFingerprint(instance.url, proofOf("new").fingerprint);
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

    it("moves to another secret, except a service's own login that is named like its role", async () => {
      const moved = await testDatabase();
      try {
        const name = new URL(moved.url).pathname.slice(1);
        const login = { name: `${name}_chat`, password: "chosen by the operator" };
        const chatUrl = (await ensureServiceRole(moved.url, "chat", proof("mine"), login)).url;
        const before = (await ensureServiceRole(moved.url, "auth", proof("mine"))).url;
        const after = Object.assign(new URL(before), {
          password: encodeURIComponent(proofOf("next").password("auth")),
        }).href;
        // May be repeated.
        for (const _ of [1, 2]) {
          await moveToSecret(
            moved.url,
            ["auth", "chat", "ingest"],
            [proofOf("next"), proofOf("mine")],
          );
          expect(await Promise.all([before, after, chatUrl].map(connects))).toEqual([
            false,
            true,
            true,
          ]);
        }
        expect((await ensureServiceRole(chatUrl, "chat", proof("next"))).fingerprint).toBe(
          "fingerprint of next",
        );
      } finally {
        await moved.drop();
      }
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
          fingerprint: "fingerprint of third",
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
