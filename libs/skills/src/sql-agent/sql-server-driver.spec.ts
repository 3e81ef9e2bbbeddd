import { renderFault, type SqlConnection } from "@carrel/contracts";
import { poll } from "@carrel/testing";
import { afterEach, describe, expect, it } from "@jest/globals";
import { openTools, textOf } from "./sql-agent.fixture.ts";
import { checkSqlConnection } from "./sql-databases.ts";
import { sqlLimits } from "./sql-engine.ts";
import { errorReply, rowsReply, startTdsServer, type TdsServer } from "./tds-server.fixture.ts";

let server: TdsServer;
const start = async (
  answer: (text: string) => Buffer | null,
  loginError?: Buffer,
): Promise<SqlConnection> => {
  server = await startTdsServer({ answer, ...(loginError === undefined ? {} : { loginError }) });
  return {
    name: "erp",
    engine: "sql-server",
    connectionString: `mssql://geheimer:geheim-wort@127.0.0.1:${server.port}/shop?encrypt=false`,
    schema: null,
  };
};

describe("SQL Server databases of agents, on a stand-in", () => {
  afterEach(() => server.stop());

  it("answer with rows, in a transaction that is rolled back", async () => {
    const reply = rowsReply(
      [
        ["id", "int"],
        ["name", "text"],
        ["photo", "binary"],
      ],
      [
        [1, 'Ünï, "x"', Buffer.from([1, 2, 3])],
        [2, null, null],
      ],
    );
    const tools = openTools(await start(() => reply));
    const { text, outputs } = await tools.query("SELECT TOP 2 * FROM dbo.customer -- all;");
    expect(text).toBe(
      `2 rows in total.\n\nid,name,photo\n1,"Ünï, ""x""","<binary, 3 bytes>"\n2,NULL,NULL`,
    );
    expect(outputs).toMatchObject([{ type: "table", total: 2 }]);
    expect(server.hasReadOnlyIntent).toBe(true);
    expect(server.received).toContain("SELECT TOP 2 * FROM dbo.customer");
    expect(server.received.filter((each) => /^[a-z]+$/.test(each))).toEqual([
      "login",
      "begin",
      "rollback",
    ]);
    await poll(() => server.connections()).toBe(0);
  });

  it("send nothing for a statement that isn't allowed", async () => {
    const tools = openTools(await start(() => null));
    await expect(tools.query("SELECT 1 EXEC xp_cmdshell 'dir'")).rejects.toThrow("leave out EXEC");
    expect(server.received).toEqual([]);
  });

  it("list tables and their columns by queries that the parser reads", async () => {
    const tables = rowsReply(
      [
        ["schema", "text"],
        ["name", "text"],
        ["kind", "text"],
        ["estimate", "int"],
        ["comment", "text"],
        ["total", "int"],
      ],
      [["dbo", "orders", "table", 5, "What customers bought", 1]],
    );
    const tools = openTools(await start(() => tables));
    expect((await tools.call("sql-list-tables", { search: "50%" })).text).toBe(
      "- dbo.orders (table, about 5 rows): What customers bought",
    );
    expect(server.received.join("\n")).toContain("sys.extended_properties");
  });

  it("report what the model can correct, and nothing else", async () => {
    const replies: Record<string, Buffer> = {
      missing: errorReply(207, 16, "Invalid column name 'missing'. geheim-wort"),
      denied: errorReply(229, 14, "The SELECT permission was denied for geheimer on 'denied'."),
      linked: errorReply(7202, 11, "Could not find server 'geheim' in sys.servers."),
    };
    const connection = await start((text) => replies[/FROM (\w+)/.exec(text)![1]!]!);
    for (const [table, code, message] of [
      ["missing", "sql.statement-invalid", "Invalid column name 'missing'."],
      ["denied", "sql.not-allowed", "isn't allowed to read this"],
      ["linked", "sql.failed", "reported an error"],
    ] as const) {
      const error = await openTools(connection)
        .query(`SELECT a FROM ${table}`)
        .catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ fault: { code } });
      expect(String(error)).toContain(message);
      expect(textOf(error)).not.toMatch(/geheim/);
    }
  });

  it("stop slow queries, and those that a person stops", async () => {
    const connection = await start(() => null);
    const { statementMs } = sqlLimits;
    sqlLimits.statementMs = 300;
    try {
      await expect(openTools(connection).query("SELECT 1 AS a")).rejects.toThrow("longer than 0.3");
    } finally {
      sqlLimits.statementMs = statementMs;
    }
    expect(server.received).toContain("attention");
    const stop = new AbortController();
    const asked = openTools(connection).query("SELECT 2 AS b", stop.signal);
    const ended = asked.catch((thrown: unknown) => thrown);
    await poll(() => server.received.includes("SELECT 2 AS b")).toBe(true);
    stop.abort();
    expect(await ended).toMatchObject({ name: "AbortError" });
    expect(server.received.filter((each) => each === "attention")).toHaveLength(2);
  });

  it("tell why they can't be reached, without hosts, users and passwords", async () => {
    const rejected = errorReply(18456, 14, "Login failed for user 'geheimer'.");
    const connection = await start(() => null, rejected);
    const at = (connectionString: string): SqlConnection => ({ ...connection, connectionString });
    for (const [target, code] of [
      [connection, "sql.login-rejected"],
      [at(connection.connectionString.replace("=false", "=true")), "sql.encryption-failed"],
      [at("mssql://geheimer:x@127.0.0.1:1/shop"), "sql.unreachable"],
      [at("Server=0xa9fea9fe;User Id=geheimer;Password=x"), "sql.address-refused"],
      [at("mssql://geheimer:x@169.254.169.254"), "sql.address-refused"],
    ] as const) {
      const fault = await checkSqlConnection(target);
      expect(fault).toMatchObject({ code });
      expect(renderFault(fault!)).not.toMatch(/geheim|127|169/);
    }
  });
});
