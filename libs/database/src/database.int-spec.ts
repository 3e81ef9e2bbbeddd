import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import pg from "pg";
import {
  Column,
  Entity,
  PrimaryGeneratedColumn,
  type MigrationInterface,
  type QueryRunner,
} from "typeorm";
import { testDatabase, type TestDatabase } from "@carrel/testing";
import {
  createDataSource,
  encryptedColumn,
  ensureServiceRole,
  migrate,
  SecretBox,
} from "./index.ts";

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
    const own = await ensureServiceRole(database.url, "chat", "first password");
    expect(own.refusal).toBeNull();
    // Replicas start together, and the secret may have changed.
    const again = await Promise.all(
      [1, 2, 3].map(() => ensureServiceRole(database.url, "chat", "second password")),
    );
    expect(new URL(again[0]!.url).username).toMatch(/_chat$/);
    const other = await ensureServiceRole(database.url, "ingest", "p");
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
    const limited = await ensureServiceRole(other.url, "third", "p");
    expect(limited).toEqual({
      url: other.url,
      refusal: expect.stringContaining("may not create roles"),
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
    const { url } = await ensureServiceRole(database.url, "chat", "second password");
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
