import { describe, expect, it } from "@jest/globals";
import type { SqlConnection } from "./skill.ts";
import { formatSqlAddress, parseSqlAddress } from "./sql-address.ts";
import { changeSqlConnections, toSqlConnectionWire } from "./sql-connection.ts";

const sales: SqlConnection = {
  name: "sales",
  engine: "postgresql",
  connectionString: "postgresql://reader:s3cret%2F!@db.intern:5433/shop?sslmode=require",
  schema: "public",
};

describe("connection strings", () => {
  it.each([
    ["postgresql", "postgres://u:p@h/d", ["u", "p", "h", 5432, "d"]],
    ["postgresql", "postgresql://u@[::1]:6000/d", ["u", "", "::1", 6000, "d"]],
    ["postgresql", "postgresql://u:p%40ss%@h:80/my%20db", ["u", "p@ss%", "h", 80, "my db"]],
    [
      "postgresql",
      "postgresql://u:p/a#b?c@h/d?sslmode=no-verify",
      ["u", "p/a#b?c", "h", 5432, "d"],
    ],
    ["mysql", "mysql://root:a:b@h", ["root", "a:b", "h", 3306, ""]],
    ["sql-server", "mssql://sa:p@h:1434/d?encrypt=true", ["sa", "p", "h", 1434, "d"]],
    [
      "sql-server",
      'Server=tcp:h.example,1435; Initial Catalog=d;User ID=sa;Password="a;b""c";Encrypt=True',
      ["sa", 'a;b"c', "h.example", 1435, "d"],
    ],
    ["sql-server", "data source=h;uid=u;pwd={x}};y};", ["u", "x};y", "h", 1433, ""]],
  ] as const)("of %s are read: %s", (engine, text, expected) => {
    const address = parseSqlAddress(engine, text);
    const { username, password, host, port, database } = address;
    expect([username, password, host, port, database]).toEqual(expected);
    expect(parseSqlAddress(engine, formatSqlAddress(address))).toEqual(address);
  });

  it.each([
    ["postgresql", "mysql://u:secret@h/d"],
    ["postgresql", "host=secret"],
    ["postgresql", "postgresql:///secret"],
    ["postgresql", "postgresql://u:secret@h:99999/d"],
    ["postgresql", "postgresql://u:secret@/var/run/postgresql/d"],
    ["mysql", ""],
    ["mysql", `mysql://${"secret".repeat(1_000)}`],
    ["sql-server", "Server=h\\secret;Database=d"],
    ["sql-server", "secret"],
  ] as const)("of %s that aren't valid are refused without repeating them", (engine, text) => {
    let message = "";
    try {
      parseSqlAddress(engine, text);
    } catch (error) {
      message = String(error);
    }
    expect(message).toContain("isn't a valid connection string");
    expect(message).not.toContain("secret");
  });
});

describe("databases of agents", () => {
  it("are read with the password masked", () => {
    const wire = toSqlConnectionWire(sales);
    expect(wire).toEqual({
      engine: "postgresql",
      database_id: "sales",
      connectionString: "postgresql://reader:********@db.intern:5433/shop",
      username: "reader",
      password: "********",
      host: "db.intern",
      port: "5433",
      database: "shop",
      scheme: "postgresql",
      schema: "public",
    });
    expect(JSON.stringify(wire)).not.toContain("s3cret");
  });

  it("are added, changed and removed", () => {
    const added = changeSqlConnections(
      [sales],
      JSON.stringify([
        { engine: "postgresql", database_id: "sales" },
        { action: "add", engine: "mysql", database_id: "crm", connectionString: "mysql://u:p@h/d" },
        { action: "update", database_id: "shop", originalDatabaseId: "sales", schema: "" },
      ]),
    );
    expect(added).toEqual([
      { ...sales, name: "shop", schema: null },
      { name: "crm", engine: "mysql", connectionString: "mysql://u:p@h/d", schema: null },
    ]);
    const removed = changeSqlConnections(added, '[{"action":"remove","database_id":"shop"}]');
    expect(removed.map((each) => each.name)).toEqual(["crm"]);
  });

  it("keep a masked password, but only for the same server and user", () => {
    const update = (connectionString: string) =>
      changeSqlConnections(
        [sales],
        JSON.stringify([{ action: "update", database_id: "sales", connectionString }]),
      )[0]!.connectionString;
    const kept = update(toSqlConnectionWire(sales).connectionString.replace("shop", "other"));
    expect(parseSqlAddress("postgresql", kept)).toMatchObject({
      password: "s3cret/!",
      database: "other",
      options: { sslmode: "require" },
    });
    for (const other of ["********@evil.example:5433", "********@db.intern:1"])
      expect(() => update(`postgresql://reader:${other}/shop`)).toThrow("Enter the password again");
    expect(() => update("postgresql://root:********@db.intern:5433/shop")).toThrow(
      "password again",
    );
  });

  it("stay as they are if a change isn't valid", () => {
    const add = {
      action: "add",
      engine: "mysql",
      database_id: "SALES",
      connectionString: "mysql://h",
    };
    for (const [changes, message] of [
      ["{", "aren't valid"],
      ['[{"action":"drop","database_id":"x"}]', "aren't valid"],
      ['[{"action":"add","database_id":"x"}]', "needs a name"],
      ['[{"action":"update","database_id":"x"}]', "no database named"],
      [JSON.stringify([add]), "already exists"],
      [JSON.stringify([{ ...add, database_id: "x", connectionString: "h" }]), "mysql://user"],
      [
        JSON.stringify([{ ...add, database_id: "x", connectionString: "mysql://u:******@h" }]),
        "password again",
      ],
    ] as const)
      expect(() => changeSqlConnections([sales], changes)).toThrow(message);
  });
});
