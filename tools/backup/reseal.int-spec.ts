import { randomBytes } from "node:crypto";
import { migrate, SecretBox } from "@carrel/database";
import { testDatabase, type TestDatabase } from "@carrel/testing";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import pg from "pg";
import { countLeft, reseal } from "./reseal.ts";
import { databases } from "./service-databases.ts";

const schemas = databases.map(({ schema }) => schema);
let database: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await testDatabase();
  for (const each of databases) await migrate(database.url, each);
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await client?.end();
  await database?.drop();
});

interface TextColumn {
  table: string;
  column: string;
  type: string;
}
/** Text columns of all tables, without keys: they are unique, and messages name them. */
const textColumns = async (): Promise<TextColumn[]> =>
  (
    await client.query<TextColumn>(
      `SELECT attrelid::regclass::text AS table, quote_ident(attname) AS column,
        format_type(atttypid, NULL) AS type
      FROM pg_attribute
      JOIN pg_class c ON c.oid = attrelid AND relkind = 'r'
      WHERE relnamespace = ANY($1::regnamespace[]) AND attnum > 0 AND NOT attisdropped
        AND attgenerated = '' AND relname NOT IN ('migration', 'hash_key')
        AND format_type(atttypid, NULL) ~ '^(text|character varying|jsonb?)(\\[\\])?$'
      ORDER BY 1, 2`,
      [schemas],
    )
  ).rows;

/** Where services seal something. */
const sealedPlaces = [
  `auth.request_result.result`,
  `auth.invite.sealed_code`,
  `chat.request_result.result`,
  `connectors.connection.sealed_credential`,
  `workspace.event_key.sealed_private_key`,
  `workspace.preference.value`,
  `workspace.setting.sealed`,
  `workspace.webhook.sealed_secret`,
  `workspace.webhook.sealed_url`,
];

describe("sealing again", () => {
  const [first, second] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
  const [before, after, both] = [
    new SecretBox(first),
    new SecretBox(second),
    new SecretBox(second, first),
  ];
  let columns: TextColumn[];
  const tables = () => [...Map.groupBy(columns, ({ table }) => table)];
  /** A row in each table, with a sealed value in each column that can hold text. */
  const fill = async (): Promise<void> => {
    await client.query(
      `TRUNCATE ${tables()
        .map(([table]) => table)
        .join(", ")} CASCADE`,
    );
    for (const [table, its] of tables()) {
      const { rows } = await client.query<{ column: string; type: string }>(
        `SELECT quote_ident(attname) AS column, format_type(atttypid, NULL) AS type
        FROM pg_attribute
        WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attnotnull
          AND NOT atthasdef AND attidentity = ''`,
        [table],
      );
      const texts = new Set(its.map(({ column }) => column));
      const others = rows.filter(({ column }) => !texts.has(column));
      await client.query(
        `INSERT INTO ${table} (${[...its, ...others].map(({ column }) => column).join(", ")})
        VALUES (${[...its.map(({ type }, n) => `$${n + 1}::text::${type}`), ...others.map(({ type }) => filler(type))].join(", ")})`,
        its.map(({ type }) => inType(type, before.seal(`secret of ${table}`))),
      );
    }
  };
  const count = async (box: SecretBox): Promise<number> => {
    let found = 0;
    for (const [table, its] of tables()) {
      const { rows } = await client.query<Record<string, string>>(
        `SELECT ${its.map(({ column }) => `${column}::text AS ${column}`).join(", ")} FROM ${table}`,
      );
      for (const text of Object.values(rows[0] ?? {})) {
        const sealed = /v1:[\w:-]+/.exec(text)![0];
        if (box.keyId !== sealed.split(":")[1]) continue;
        expect(box.open(sealed)).toBe(`secret of ${table}`);
        found++;
      }
    }
    return found;
  };

  beforeAll(async () => {
    // Columns are filled with what their checks, references and triggers don't allow.
    await client.query("SET session_replication_role = replica");
    const { rows } = await client.query<{ drop: string }>(
      `SELECT format('ALTER TABLE %s DROP CONSTRAINT %I CASCADE', conrelid::regclass, conname) AS drop
      FROM pg_constraint JOIN pg_namespace n ON n.oid = connamespace
      WHERE nspname = ANY($1) AND contype = 'c'`,
      [schemas],
    );
    await client.query(rows.map(({ drop }) => drop).join(";"));
    columns = await textColumns();
  });

  it("reaches every column that can hold text, also what was left by a killed run", async () => {
    const names = columns.map(({ table, column }) => `${table}.${column}`);
    expect(names).toEqual(expect.arrayContaining(sealedPlaces));
    await fill();
    expect(await count(before)).toBe(columns.length);
    // Killed half way.
    const killed = new pg.Client({ connectionString: database.url });
    killed.on("error", () => undefined);
    await killed.connect();
    await killed.query("SET session_replication_role = replica");
    let writes = 0;
    const query = killed.query.bind(killed);
    killed.query = (async (...args: Parameters<typeof query>) => {
      if (String(args[0]).startsWith("UPDATE") && ++writes === 20) await killed.end();
      return query(...args);
    }) as unknown as typeof killed.query;
    await expect(reseal(killed, schemas, both)).rejects.toThrow();
    expect(await count(after)).toBe(19);
    expect(await count(before)).toBe(columns.length - 19);

    expect([...(await countLeft(client, schemas, both)).values()]).toHaveLength(
      columns.length - 19,
    );
    const again = await reseal(client, schemas, both);
    expect(sum(again, "resealed")).toBe(columns.length - 19);
    expect(await count(after)).toBe(columns.length);
    expect((await countLeft(client, schemas, both)).size).toBe(0);
    const last = await reseal(client, schemas, both);
    expect(["previous", "current", "unreadable"].map((of) => sum(last, of as never))).toEqual([
      0,
      columns.length,
      0,
    ]);
  });

  it("counts what neither secret opens, and leaves it alone", async () => {
    // The event log can't change, whatever somebody wrote into it.
    const anchor = columns.find(({ table }) => table === "workspace.event_anchor")!;
    await client.query(`UPDATE ${anchor.table} SET ${anchor.column} = $1`, [before.seal("kept")]);
    await client.query("SET session_replication_role = DEFAULT");
    const third = new SecretBox(randomBytes(32)).seal("of a third");
    const damaged = `${before.seal("changed").slice(0, -3)}abc`;
    const text = `{"a": "${third}", "b": "${damaged}", "c": "${before.seal("mine")}"}`;
    await client.query("TRUNCATE workspace.preference");
    await client.query(`INSERT INTO workspace.preference (label, value) VALUES ('x', $1)`, [text]);
    const found = await reseal(client, ["workspace"], both);
    expect(found.find(({ column }) => column === `${anchor.table}.${anchor.column}`)).toMatchObject(
      {
        previous: 0,
        unreadable: 1,
        refused: 1,
      },
    );
    expect(found.find(({ column }) => column === "workspace.preference.value")).toMatchObject({
      resealed: 1,
      unreadable: 2,
    });
    // It could still be opened, but not what is damaged or of a third secret.
    const left = `${anchor.table}.${anchor.column}`;
    expect([...(await countLeft(client, ["workspace"], both))]).toEqual([[left, 1]]);
    const { rows } = await client.query<{ value: Record<string, string> }>(
      "SELECT value::jsonb AS value FROM workspace.preference",
    );
    expect(rows[0]!.value).toMatchObject({ a: third, b: damaged });
    expect(after.open(rows[0]!.value.c!)).toBe("mine");
  });
});

const fillers: Record<string, string> = {
  bytea: "''",
  uuid: "gen_random_uuid()",
  boolean: "false",
  date: "now()",
  "timestamp with time zone": "now()",
};
const filler = (type: string): string => (type.endsWith("[]") ? "'{}'" : (fillers[type] ?? "'0'"));
const inType = (type: string, sealed: string): string => {
  if (type.endsWith("[]")) return `{${sealed}}`;
  return type.startsWith("json") ? JSON.stringify({ kept: [sealed] }) : sealed;
};
const sum = <K extends string>(rows: readonly Record<K, number>[], of: K): number =>
  rows.reduce((total, row) => total + row[of], 0);
