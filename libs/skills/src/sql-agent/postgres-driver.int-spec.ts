import { renderFault, type SqlConnection } from "@carrel/contracts";
import { testDatabase, type TestDatabase } from "@carrel/testing";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import pg from "pg";
import { postgresDriver } from "./postgres-driver.ts";
import { openTools, textOf } from "./sql-agent.fixture.ts";
import { checkSqlConnection } from "./sql-databases.ts";
import { sqlLimits } from "./sql-engine.ts";

describe("PostgreSQL databases of agents", () => {
  let test: TestDatabase;
  let admin: pg.Client;
  let connection: SqlConnection;
  let tools: ReturnType<typeof openTools>;
  beforeAll(async () => {
    test = await testDatabase();
    admin = new pg.Client({ connectionString: test.url });
    await admin.connect();
    await admin.query(`
      CREATE SCHEMA sales;
      CREATE TABLE sales.customer (id int PRIMARY KEY, name text NOT NULL);
      CREATE TABLE sales.orders (
        id bigint PRIMARY KEY, customer_id int REFERENCES sales.customer (id),
        total numeric(10, 2) DEFAULT 0, placed timestamptz, invoice bytea, extra jsonb);
      COMMENT ON TABLE sales.orders IS 'What customers bought';
      COMMENT ON COLUMN sales.orders.total IS 'In euros';
      CREATE VIEW sales.big AS SELECT * FROM sales.orders WHERE total > 100;
      INSERT INTO sales.customer SELECT n, 'Customer ' || n FROM generate_series(1, 3000) n;
      INSERT INTO sales.orders VALUES
        (9007199254740993, 1, 12.50, '2026-01-02 03:04:05+00', '\\x0102', '{"a": [1]}'), (2, 2, NULL, NULL, NULL, NULL);
      CREATE SEQUENCE counter;
      CREATE FUNCTION do_write() RETURNS int LANGUAGE sql VOLATILE
        AS 'DELETE FROM sales.orders; SELECT 1';
      CREATE FUNCTION lies() RETURNS int LANGUAGE plpgsql STABLE
        AS $$ BEGIN PERFORM set_config('transaction_read_only', 'off', true);
              EXECUTE 'DELETE FROM sales.orders'; RETURN 1; END $$;
      CREATE FUNCTION sales.logged(sales.orders) RETURNS sales.orders LANGUAGE plpgsql VOLATILE
        AS $$ BEGIN RETURN $1; END $$;
      CREATE FUNCTION sales.total(sales.orders) RETURNS int LANGUAGE sql VOLATILE AS 'SELECT 1';
      CREATE FUNCTION sales.name(bigint) RETURNS int LANGUAGE sql VOLATILE AS 'SELECT 1';
      CREATE FUNCTION sales.label(sales.customer) RETURNS text LANGUAGE sql STABLE
        AS 'SELECT $1.name';
      CREATE FUNCTION sales.twice(n int) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT n * 2';`);
    connection = {
      name: "shop",
      engine: "postgresql",
      connectionString: test.url,
      schema: "sales",
    };
    tools = openTools(connection);
  });
  afterAll(async () => {
    await admin.end();
    await test.drop();
  });

  it("are listed with their tables, columns and keys", async () => {
    expect((await tools.call("sql-list-databases", {})).text).toMatch(
      /^- shop: PostgreSQL, database test_\w+, schema sales$/,
    );
    expect((await tools.call("sql-list-tables", {})).text).toContain(
      "- sales.orders (table): What customers bought",
    );
    expect((await tools.call("sql-list-tables", { search: "BOUGHT" })).text).not.toContain("big");
    expect((await tools.call("sql-list-tables", { search: "big" })).text).toBe(
      "- sales.big (view)",
    );
    expect((await tools.call("sql-list-tables", { search: "%" })).text).toBe("No tables found.");
    const { text } = await tools.call("sql-get-table-schema", { table_name: '"sales".orders' });
    expect(text).toContain("sales.orders, What customers bought");
    expect(text).toContain("- total numeric(10,2) DEFAULT 0 -- In euros");
    expect(text).toContain("FOREIGN KEY (customer_id) REFERENCES");
    await expect(tools.call("sql-get-table-schema", { table_name: "nothing" })).rejects.toThrow(
      "There's no table nothing",
    );
  });

  it("list thousands of tables in pages", async () => {
    await admin.query(`CREATE SCHEMA wide;
      DO $$ BEGIN FOR n IN 1..250 LOOP
        EXECUTE format('CREATE TABLE wide.t%s (a int)', lpad(n::text, 3, '0')); END LOOP; END $$`);
    const page = async (number: number): Promise<string> =>
      (await tools.call("sql-list-tables", { search: "wide.t", page: number })).text;
    expect(await page(1)).toContain("100 of 250 tables. The next ones are on page 2");
    expect((await page(3)).split("\n")).toHaveLength(50);
    expect(await page(4)).toBe("There are no further tables.");
  });

  it("answer with rows as text and as a table", async () => {
    const { text, outputs } = await tools.query(
      "SELECT id, total, placed, invoice, extra, '' AS empty FROM orders ORDER BY id",
    );
    expect(text).toBe(
      `2 rows in total.

id,total,placed,invoice,extra,empty
2,NULL,NULL,NULL,NULL,""
9007199254740993,12.5,2026-01-02 03:04:05+00,"<binary, 2 bytes>","{""a"": [1]}",""`,
    );
    expect(outputs).toMatchObject([
      { type: "table", columns: ["id", "total", "placed", "invoice", "extra", "empty"], total: 2 },
    ]);
    expect((outputs![0] as { rows: unknown[][] }).rows[0]!.slice(0, 2)).toEqual([2, null]);
    const none = await tools.query("SELECT 1 WHERE false");
    expect(none).toEqual({ text: "The query returned no rows.", outputs: [] });
    expect((await tools.query("SELECT random() < 2 AS ok, twice(21)")).text).toContain("true,42");
    expect((await tools.query("SHOW transaction_read_only")).text).toContain("on");
    expect((await tools.query("EXPLAIN SELECT 1")).text).toContain("Result");
  });

  it("give long results in part, with how many there are", async () => {
    const { text, outputs } = await tools.query("SELECT * FROM customer ORDER BY id");
    expect(text).toMatch(/^3000 rows in total\. Only the first 200 are listed/);
    expect(text.split("\n")).toHaveLength(203);
    expect(outputs).toMatchObject([{ total: 3_000 }]);
    expect((outputs![0] as { rows: unknown[] }).rows).toHaveLength(1_000);
    const endless = await tools.query("SELECT generate_series(1, 1000000000) AS n");
    expect(endless.text).toMatch(/^More than \d+ rows: counting stopped there/);
    const wide = await tools.query("SELECT repeat('x', 100000) AS a FROM generate_series(1, 300)");
    expect(Buffer.byteLength(wide.text)).toBeLessThan(201_000);
    expect(wide.text).toContain("… (100000 characters)");
    const columns = Array.from({ length: 300 }, (_, n) => `${n} AS c${n}`).join(", ");
    const many = await tools.query(`SELECT ${columns}`);
    expect(many.text).toContain("Only 100 of 300 columns");
  });

  it("stop a result that is too large to hold", async () => {
    await expect(
      tools.query("SELECT repeat('x', 100000000) FROM generate_series(1, 4)"),
    ).rejects.toThrow("the result is too large");
  });

  const writes = [
    "SELECT do_write()",
    "SELECT lies()",
    "SELECT * FROM lies()",
    "SELECT public.do_write() FROM sales.orders",
    "SELECT currval('counter'), pg_catalog.nextval('counter')",
    "SELECT (id).pg_sleep FROM orders",
    "SELECT (orders).logged FROM orders",
    "SELECT o.logged FROM orders o",
    "SELECT sales.orders.logged FROM sales.orders",
    "SELECT (o).logged.total FROM orders o",
    "SELECT (o.logged).* FROM orders o",
    "SELECT 1 FROM orders o WHERE EXISTS (SELECT 1 ORDER BY o.logged)",
    "SELECT (id).name FROM orders",
    "SELECT g.name FROM generate_series(1::bigint, 2) g",
    "SELECT generate_series.name FROM generate_series(1::bigint, 2)",
    // oxlint-disable-next-line carrel/sql-style -- a keyword
    'SELECT "coalesce".name FROM coalesce(1::bigint)',
    "SELECT pg_try_advisory_xact_lock(1)",
    "SELECT lastval()",
  ];
  it.each(writes)("refuse what isn't seen in the statement: %s", async (statement) => {
    await expect(tools.query(statement)).rejects.toMatchObject({ name: "ToolError" });
  });

  it.each([
    ["SELECT o.total, c.name FROM orders o JOIN customer c ON c.id = o.customer_id", "Customer 2"],
    ["SELECT (o).total FROM orders o ORDER BY o.id DESC LIMIT 1", "12.5"],
    ["SELECT orders.total FROM sales.orders WHERE orders.id > 2", "12.5"],
    ["SELECT c.label FROM customer c WHERE c.id = 1", "Customer 1"],
    ["SELECT x.name FROM (SELECT 'column' AS name) x", "column"],
  ])("read columns that are called like functions: %s", async (statement, expected) => {
    expect((await tools.query(statement)).text).toContain(expected);
  });

  it("can't be changed even by statements that pass the check", async () => {
    for (const text of [
      "DELETE FROM sales.orders",
      "WITH d AS (DELETE FROM sales.orders RETURNING *) SELECT * FROM d",
      "SELECT do_write()",
      "SELECT lies()",
      "SELECT nextval('public.counter')",
      "CREATE TABLE sales.evil (a int)",
      "SELECT 1; DELETE FROM sales.orders",
      "SET TRANSACTION READ WRITE",
      "COPY sales.orders FROM PROGRAM 'echo'",
    ]) {
      const session = await postgresDriver.open(connection, new AbortController().signal);
      await expect(session.query({ text, functions: [] })).rejects.toThrow();
      await session.close();
    }
    const { rows } = await admin.query("SELECT count(*)::int AS n FROM sales.orders");
    expect(rows).toEqual([{ n: 2 }]);
  });

  it("report what the model can correct", async () => {
    for (const [statement, message] of [
      ["SELECT nothing FROM orders", 'column "nothing" does not exist'],
      ["SELECT * FROM nowhere", 'relation "nowhere" does not exist'],
      ["SELECT 1 / 0", "division by zero"],
      ["SELECT 'x'::int", "invalid input syntax"],
      ["SELECT FROM WHERE", "syntax error"],
    ] as const)
      await expect(tools.query(statement)).rejects.toThrow(message);
    await expect(
      openTools(connection).call("sql-query", { database_id: "other", sql_query: "SELECT 1" }),
    ).rejects.toThrow("There are: shop");
  });

  const slow = `SELECT count(*) FROM generate_series(1, 100000) a, generate_series(1, 1000000) b`;
  const running = async (): Promise<number> => {
    const { rows } = await admin.query(
      "SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'carrel'",
    );
    return rows[0].n;
  };
  const untilNone = async (): Promise<void> => {
    while ((await running()) > 0) await new Promise((resolve) => setTimeout(resolve, 20));
  };

  it("stop a query with the person, on the server too", async () => {
    const stop = new AbortController();
    const asked = tools.query(slow, stop.signal);
    while ((await running()) === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    stop.abort();
    await expect(asked).rejects.toMatchObject({ name: "AbortError" });
    await untilNone();
  });

  it("stop slow queries", async () => {
    const { statementMs } = sqlLimits;
    expect(statementMs).toBe(15_000);
    sqlLimits.statementMs = 500;
    try {
      await expect(tools.query(slow)).rejects.toThrow("longer than 0.5 seconds");
    } finally {
      sqlLimits.statementMs = statementMs;
    }
    await untilNone();
  });

  it("leave no connection open", untilNone);

  it("tell why they can't be reached, without hosts, users and passwords", async () => {
    const url = new URL(test.url);
    const at = (change: (to: URL) => void): SqlConnection => {
      const to = new URL(url);
      change(to);
      return { ...connection, connectionString: to.href };
    };
    await admin.query("CREATE ROLE geheim_rolle LOGIN PASSWORD 'geheim-wort'");
    for (const [target, code] of [
      [connection, null],
      [at((to) => (to.pathname = "/geheim_db")), "sql.database-missing"],
      [at((to) => (to.port = "1")), "sql.unreachable"],
      [at((to) => (to.hostname = "geheim.invalid")), "sql.unreachable"],
      [at((to) => (to.hostname = "169.254.169.254")), "sql.address-refused"],
      [at((to) => (to.hostname = "metadata.google.internal")), "sql.address-refused"],
      [at((to) => (to.hostname = "[::ffff:169.254.169.254]")), "sql.address-refused"],
      [at((to) => (to.username = "geheim_niemand")), "sql.login-rejected"],
      [at((to) => (to.search = "?sslmode=require")), "sql.encryption-failed"],
      [{ ...connection, connectionString: "mysql://geheim@h" }, "sql.connection-string-invalid"],
    ] as const) {
      const fault = await checkSqlConnection(target);
      expect(fault?.code ?? null).toBe(code);
      const error = await openTools(target)
        .query("SELECT 1")
        .then(
          () => null,
          (thrown: unknown) => thrown,
        );
      expect(error === null).toBe(code === null);
      const words = `${textOf(error)} ${fault === null ? "" : renderFault(fault)}`;
      expect(words).not.toMatch(/geheim|169\.254/);
      if (error !== null && url.password !== "") expect(words).not.toContain(url.password);
    }
    await admin.query("DROP ROLE geheim_rolle");
  });
});
