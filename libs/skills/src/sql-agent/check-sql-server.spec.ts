import { describe, expect, it } from "@jest/globals";
import { checkSqlServer } from "./check-sql-server.ts";

const hostile = [
  "INSERT INTO t VALUES (1)",
  "UPDATE t SET a = 1",
  "DELETE FROM t",
  "MERGE t USING u ON 1 = 1 WHEN MATCHED THEN DELETE",
  "DROP TABLE t",
  "SELECT 1; DROP TABLE t",
  "SELECT 1 DROP TABLE t",
  "SELECT 1 EXEC",
  "SELECT 1 EXEC sp_who",
  "SELECT 1 SHUTDOWN",
  "SELECT 1 AS a\nEXECUTE ('DROP TABLE t')",
  "SELECT 1 GO DROP TABLE t",
  "SELECT 1 COMMIT",
  "SELECT 1 ROLLBACK",
  "SELECT a FROM t WHERE 1 = 1 RECONFIGURE",
  "SELECT * FROM t IF 1 = 1 SELECT 2",
  "SELECT * INTO x FROM t",
  "SELECT * INTO #x FROM t",
  "WITH c AS (SELECT * FROM t) DELETE FROM c",
  "WITH c AS (SELECT * FROM t) UPDATE c SET a = 1",
  "SELECT * FROM (DELETE FROM t OUTPUT deleted.*) d",
  "EXEC xp_cmdshell 'dir'",
  "xp_cmdshell 'dir'",
  "sp_configure",
  "SELECT * FROM OPENROWSET('SQLNCLI', 'Server=evil', 'SELECT 1')",
  "SELECT * FROM OPENROWSET(BULK 'C:\\x', SINGLE_CLOB) x",
  "SELECT * FROM OPENQUERY(srv, 'SELECT 1')",
  "SELECT * FROM OPENDATASOURCE('SQLNCLI', 'x').db.dbo.t",
  "SELECT * FROM srv.db.dbo.t",
  "SELECT * FROM [srv].db..t",
  "SELECT * FROM sys.fn_get_audit_file('x', NULL, NULL)",
  "SELECT * FROM fn_trace_gettable('x', 1)",
  "SELECT * FROM fn_dblog(NULL, NULL)",
  "SELECT dbo.MyFunction(1)",
  "SELECT [dbo].[MyFunction](1)",
  "SELECT * FROM dbo.MyTable(1)",
  "SELECT * FROM sys.sql_logins",
  "SELECT * FROM sys.dm_exec_sessions",
  "SELECT * FROM master..sysprocesses",
  "SELECT NEXT VALUE FOR s",
  "SELECT * FROM t WITH (UPDLOCK)",
  "SELECT * FROM t WITH (TABLOCKX)",
  "SELECT * FROM t (XLOCK)",
  "WAITFOR DELAY '00:00:10'",
  "SELECT 1 WAITFOR DELAY '00:00:10'",
  "SELECT 1 THROW",
  "SELECT 1 RECEIVE * FROM q",
  "DECLARE @a int SELECT @a",
  "SELECT @a = 1 SET @a = 2",
  "SELECT 1 /* /* */ DROP TABLE t */",
  "SELECT 1 -- x\rDROP TABLE t",
  "SELECT 1 [a]EXEC('x')",
  "SELECT 1 \"a b\"EXEC('x')",
  "SELECT 'a' 'b' EXEC",
  "SELECT 1.EXEC('x')",
  "SELECT 1EXEC('x')",
  "SELECT 1\u0085EXEC('x')",
  "SELECT 1\u3000EXEC('x')",
  "SELECT 1\u0001EXEC('x')",
  "USE master",
  "USE master SELECT 1",
  "BACKUP DATABASE x TO DISK = 'x'",
  "SELECT 1 OPTION (USE HINT ('x'))",
  "SELECT PREDICT(MODEL = @m, DATA = t)",
];

const reading = [
  "SELECT TOP (10) * FROM dbo.[Order Details] od WITH (NOLOCK) ORDER BY od.Qty DESC",
  "WITH c (a) AS (SELECT a FROM t) SELECT * FROM c ORDER BY a OFFSET 10 ROWS FETCH NEXT 5 ROWS ONLY",
  "SELECT a, STRING_AGG(b, ',') WITHIN GROUP (ORDER BY b) FROM t GROUP BY a",
  "SELECT * FROM t CROSS APPLY (SELECT TOP 1 * FROM u WHERE u.id = t.id) AS x(a, b)",
  "SELECT a FROM shop.dbo.t FOR JSON PATH",
  "SELECT * FROM (SELECT a, b, c FROM t) s PIVOT (SUM(c) FOR b IN ([x], [y])) p",
  "SELECT TRY_CAST(x AS int), CONVERT(varchar(10), d, 120), DATEADD(day, -7, GETDATE()) FROM t",
  "SELECT d AT TIME ZONE 'UTC', N'drop table t; exec', [delete], \"Update it\" FROM t -- exec",
  "SELECT x.value('(/a)[1]', 'int') FROM t",
  "SELECT a FROM t UNION ALL SELECT b FROM u EXCEPT SELECT c FROM v",
  "SELECT YEAR(d) [Year] FROM t WHERE a LIKE '%x[_]%' ESCAPE '\\' GROUP BY ROLLUP (YEAR(d))",
];

describe("statements for SQL Server", () => {
  it.each(hostile)("that do more than read are refused: %j", async (statement) => {
    await expect(checkSqlServer(statement)).rejects.toMatchObject({ name: "ToolError" });
  });

  it.each(reading)("that read are allowed: %s", async (statement) => {
    await expect(checkSqlServer(statement)).resolves.toMatchObject({ functions: [] });
  });
});
