import { describe, expect, it } from "@jest/globals";
import { formatSqlAddress, parseSqlAddress } from "./sql-address.ts";
import { fillSqlPassword, type SqlServer } from "./sql-connection.ts";

const sales: SqlServer = {
  engine: "postgresql",
  connectionString: "postgresql://reader:s3cret%2F!@db.intern:5433/shop?sslmode=require",
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

describe("a masked password", () => {
  const fill = (connectionString: string, engine: SqlServer["engine"] = "postgresql") =>
    fillSqlPassword({ engine, connectionString }, [sales]);
  it("stands for the saved one of the same server", () => {
    expect(
      parseSqlAddress("postgresql", fill("postgresql://reader:********@DB.intern:5433/other")!),
    ).toMatchObject({ password: "s3cret/!", database: "other", options: { sslmode: "require" } });
    for (const other of [
      "********@evil.example:5433",
      "********@db.intern:1",
      "********@db.intern",
    ])
      expect(fill(`postgresql://reader:${other}/shop`)).toBeNull();
    expect(fill("mysql://reader:********@db.intern:5433/shop", "mysql")).toBeNull();
  });

  it("is of the same user, where a server has several", () => {
    const root = { ...sales, connectionString: "postgresql://root:top@db.intern:5433/shop" };
    const masked = "postgresql://root:********@db.intern:5433/shop";
    expect(fillSqlPassword({ engine: "postgresql", connectionString: masked }, [sales, root])).toBe(
      root.connectionString,
    );
  });

  it("isn't sought for a typed one", () => {
    const typed = "postgresql://reader:p@elsewhere.example/shop";
    expect(fill(typed)).toBe(typed);
    expect(() => fill("secret")).toThrow("isn't a valid connection string");
  });
});
