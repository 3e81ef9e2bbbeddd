import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { renderFault, type SqlConnection } from "@carrel/contracts";
import { guardedFolder, poll, waitFor } from "@carrel/testing";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { createConnection, type Connection } from "mysql2/promise";
import { mysqlDriver } from "./mysql-driver.ts";
import { openTools, textOf } from "./sql-agent.fixture.ts";
import { checkSqlConnection } from "./sql-databases.ts";
import { sqlLimits } from "./sql-engine.ts";

const program = "/usr/sbin/mariadbd";
const isHere = existsSync(program);
const group = "MySQL databases of agents, on MariaDB";
const reason = `${group} (skipped: not installed; apt-get install mariadb-server)`;
if (!isHere) process.stderr.write(`${reason}\n`);

(isHere ? describe : describe.skip)(isHere ? group : reason, () => {
  let server: ChildProcess;
  let admin: Connection;
  let connection: SqlConnection;
  let tools: ReturnType<typeof openTools>;
  let port: number;
  beforeAll(async () => {
    const folder = guardedFolder("carrel-mariadb-");
    const data = join(folder, "data");
    const user = process.getuid?.() === 0 ? ["--user=root"] : [];
    spawnSync("mariadb-install-db", [
      "--no-defaults",
      ...user,
      `--datadir=${data}`,
      "--auth-root-authentication-method=normal",
      "--skip-test-db",
    ]);
    port = await freePort();
    server = spawn(program, [
      "--no-defaults",
      ...user,
      `--datadir=${data}`,
      `--socket=${join(folder, "s")}`,
      "--bind-address=127.0.0.1",
      `--port=${port}`,
      "--secure-file-priv=",
      `--pid-file=${join(folder, "mariadb.pid")}`,
    ]);
    admin = await waitFor(
      () => createConnection({ host: "127.0.0.1", port, user: "root", multipleStatements: true }),
      { what: "MariaDB" },
    );
    await admin.query(`
      CREATE DATABASE shop;
      USE shop;
      CREATE TABLE customer (id INT PRIMARY KEY, name VARCHAR(100) NOT NULL COMMENT 'In full');
      CREATE TABLE orders (
        id BIGINT PRIMARY KEY, customer_id INT, total DECIMAL(10, 2) DEFAULT 0, placed DATETIME,
        invoice BLOB, FOREIGN KEY (customer_id) REFERENCES customer (id)
      ) COMMENT 'What customers bought';
      CREATE TABLE plain (id INT) ENGINE = MyISAM;
      CREATE VIEW big AS SELECT * FROM orders WHERE total > 100;
      CREATE FUNCTION do_write() RETURNS INT BEGIN DELETE FROM orders; RETURN 1; END;
      CREATE SEQUENCE counter;
      INSERT INTO customer SELECT seq, CONCAT('Customer ', seq) FROM seq_1_to_3000;
      INSERT INTO orders VALUES
        (9007199254740993, 1, 12.50, '2026-01-02 03:04:05', X'0102'), (2, 2, NULL, NULL, NULL);
      INSERT INTO plain VALUES (1);
      CREATE USER 'lesender'@'%' IDENTIFIED BY 'geheim-wort';
      GRANT ALL ON shop.* TO 'lesender'@'%';
      GRANT FILE ON *.* TO 'lesender'@'%';`);
    connection = {
      name: "crm",
      engine: "mysql",
      connectionString: `mysql://lesender:geheim-wort@127.0.0.1:${port}/shop`,
      schema: null,
    };
    tools = openTools(connection);
  });
  afterAll(async () => {
    await admin?.end();
    server?.kill("SIGKILL");
  });

  it("are listed with their tables, columns and keys", async () => {
    expect((await tools.call("sql-list-databases", {})).text).toBe("- crm: MySQL, database shop");
    const { text } = await tools.call("sql-list-tables", {});
    expect(text).toContain("- shop.orders (table, about 2 rows): What customers bought");
    expect(text).toContain("- shop.big (view");
    expect((await tools.call("sql-list-tables", { search: "bought" })).text).not.toContain("big");
    const schema = (await tools.call("sql-get-table-schema", { table_name: "`shop`.`orders`" }))
      .text;
    expect(schema).toContain("- total decimal(10,2) DEFAULT 0");
    expect(schema).toContain("FOREIGN KEY (customer_id) REFERENCES customer (id)");
    expect((await tools.call("sql-get-table-schema", { table_name: "customer" })).text).toContain(
      "- name varchar(100) NOT NULL",
    );
  });

  const running = async (part = "COUNT"): Promise<number> => {
    const [rows] = await admin.query(
      "SELECT COUNT(*) AS n FROM information_schema.PROCESSLIST WHERE USER = 'lesender' AND INFO LIKE ?",
      [`%${part}%`],
    );
    return Number((rows as { n: number }[])[0]!.n);
  };

  it("answer with rows as text and as a table", async () => {
    const { text, outputs } = await tools.query("SELECT * FROM orders ORDER BY id -- all");
    expect(text).toBe(`2 rows in total.

id,customer_id,total,placed,invoice
2,2,NULL,NULL,NULL
9007199254740993,1,12.50,2026-01-02 03:04:05,"<binary, 2 bytes>"`);
    expect(outputs).toMatchObject([{ type: "table", total: 2 }]);
    const long = await tools.query("SELECT * FROM customer");
    expect(long.text).toMatch(/^3000 rows in total\. Only the first 200 are listed/);
    const endless = await tools.query("SELECT a.id FROM customer a, customer b, customer c");
    await poll(() => running("a.id")).toBe(0);
    expect(endless.text).toMatch(/^More than \d+ rows/);
    expect((await tools.query("SHOW TABLES")).text).toContain("customer");
    expect((await tools.query("DESCRIBE orders")).text).toContain("customer_id");
    expect((await tools.query("EXPLAIN SELECT * FROM orders")).text).toContain("SIMPLE");
    expect((await tools.query("SELECT 'a\\'b', \"c''d\"")).text).toContain("a'b,c''d");
  });

  it("can't be changed even by statements that pass the check", async () => {
    for (const text of [
      "DELETE FROM orders",
      "UPDATE orders SET total = 1",
      "DELETE FROM plain",
      "SELECT do_write()",
      "CREATE TABLE evil (a INT)",
      "DROP TABLE orders",
      "SELECT 1; DELETE FROM orders",
      "SET TRANSACTION READ WRITE",
      "LOAD DATA LOCAL INFILE '/etc/passwd' INTO TABLE plain",
      "SELECT NEXT VALUE FOR counter",
    ]) {
      const session = await mysqlDriver.open(connection, new AbortController().signal);
      const outcome = await session.query({ text, functions: [] }).then(
        () => "done",
        () => "refused",
      );
      await session.close();
      expect([text, outcome]).toEqual([text, "refused"]);
    }
    const [rows] = await admin.query(
      "SELECT (SELECT COUNT(*) FROM orders) AS a, (SELECT COUNT(*) FROM plain) AS b",
    );
    expect(rows).toEqual([{ a: 2, b: 1 }]);
  });

  it("report what the model can correct, and nothing of users and hosts", async () => {
    await expect(tools.query("SELECT nothing FROM orders")).rejects.toThrow("Unknown column");
    await expect(tools.query("SELECT * FROM nowhere")).rejects.toThrow("doesn't exist");
    const error = await tools
      .query("SELECT * FROM other.secret")
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ fault: { code: "sql.not-allowed" } });
    expect(textOf(error)).not.toMatch(/lesender|geheim/);
  });

  const slow = "SELECT COUNT(*) FROM customer a, customer b, customer c WHERE a.name < c.name";
  it("stop a query with the person, on the server too", async () => {
    const stop = new AbortController();
    const asked = tools.query(slow, stop.signal);
    const ended = asked.catch((thrown: unknown) => thrown);
    await poll(running).toBe(1);
    stop.abort();
    expect(await ended).toMatchObject({ name: "AbortError" });
    await poll(running).toBe(0);
  });

  it("stop slow queries", async () => {
    const { statementMs } = sqlLimits;
    sqlLimits.statementMs = 1_000;
    try {
      await expect(tools.query(slow)).rejects.toThrow("longer than 1 seconds");
    } finally {
      sqlLimits.statementMs = statementMs;
    }
    await poll(running).toBe(0);
  });

  it("tell why they can't be reached, without hosts, users and passwords", async () => {
    const at = (connectionString: string): SqlConnection => ({ ...connection, connectionString });
    for (const [target, code] of [
      [connection, null],
      [at(`mysql://lesender:geheim@127.0.0.1:${port}/shop`), "sql.login-rejected"],
      [at(`mysql://lesender:geheim-wort@127.0.0.1:${port}/geheim`), "sql.not-allowed"],
      [at(`mysql://root@127.0.0.1:${port}/geheim`), "sql.database-missing"],
      [at("mysql://lesender:geheim@127.0.0.1:1/shop"), "sql.unreachable"],
      [at("mysql://lesender:geheim@169.254.169.254/shop"), "sql.address-refused"],
      [
        at(`mysql://lesender:geheim@127.0.0.1:${port}/shop?ssl-mode=required`),
        "sql.encryption-failed",
      ],
    ] as const) {
      const fault = await checkSqlConnection(target);
      expect(fault?.code ?? null).toBe(code);
      if (fault === null) continue;
      expect(renderFault(fault)).not.toMatch(/geheim|lesender|127|169/);
      const error = await openTools(target)
        .query("SELECT 1")
        .catch((thrown: unknown) => thrown);
      expect(textOf(error)).not.toMatch(/geheim|lesender|169\.254/);
    }
  });
});

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, "127.0.0.1", resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}
