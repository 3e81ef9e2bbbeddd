import { describe, expect, it } from "@jest/globals";
import { checkMysql } from "./check-mysql.ts";

const hostile = [
  "INSERT INTO t VALUES (1)",
  "REPLACE INTO t VALUES (1)",
  "UPDATE t SET a = 1",
  "DELETE FROM t",
  "TRUNCATE TABLE t",
  "DROP TABLE t",
  "CREATE TABLE x AS SELECT 1",
  "SELECT 1; DROP TABLE t",
  "SELECT 1;; SELECT 2",
  "",
  "# nothing",
  "SET @@session.transaction_read_only = 0",
  "SET SESSION sql_mode = 'ANSI_QUOTES'",
  "COMMIT",
  "BEGIN",
  "CALL p()",
  "DO SLEEP(5)",
  "HANDLER t OPEN",
  "LOAD DATA INFILE '/etc/passwd' INTO TABLE t",
  "LOCK TABLES t WRITE",
  "KILL 1",
  "FLUSH TABLES",
  "PREPARE p FROM 'DROP TABLE t'",
  "EXECUTE p",
  "XA START 'x'",
  "ANALYZE TABLE t",
  "WITH c AS (SELECT 1) DELETE FROM t",
  "WITH c AS (SELECT 1) UPDATE t SET a = 1",
  "EXPLAIN DELETE FROM t",
  "EXPLAIN ANALYZE UPDATE t SET a = 1",
  "EXPLAIN FOR CONNECTION 5",
  "SELECT * FROM t FOR UPDATE",
  "SELECT * FROM t FOR SHARE NOWAIT",
  "SELECT * FROM t LOCK IN SHARE MODE",
  "SELECT * FROM (SELECT * FROM t FOR UPDATE) x",
  "SELECT 'x' INTO OUTFILE '/tmp/x'",
  "SELECT 'x' INTO DUMPFILE '/tmp/x'",
  "SELECT 1 INTO @a",
  "SELECT @a := 1",
  "SELECT LOAD_FILE('/etc/passwd')",
  "SELECT `LOAD_FILE`('/etc/passwd')",
  "SELECT load_file /* x */ ('/etc/passwd')",
  "SELECT SLEEP(10)",
  "SELECT sleep\n(10)",
  "SELECT BENCHMARK(1000000000, MD5('x'))",
  "SELECT GET_LOCK('x', 10)",
  "SELECT MASTER_POS_WAIT('x', 1)",
  "SELECT sys_exec('id')",
  "SELECT shop.my_function()",
  "SELECT my_function()",
  "SELECT `mysql`.`user`.* FROM `mysql`.`user`",
  "SELECT * FROM mysql.user",
  "SELECT * FROM information_schema.PROCESSLIST",
  "SELECT * FROM performance_schema.threads",
  "SELECT NEXT VALUE FOR s",
  "SELECT NEXTVAL(s)",
  "SELECT /*! SLEEP(10) */ 1",
  "SELECT /*!50000 1 INTO OUTFILE '/tmp/x' */",
  "SELECT /*M!100100 SLEEP(1) */ 1",
  "SELECT /*+ MAX_EXECUTION_TIME(0) */ 1",
  "SELECT /*+ SET_VAR(sql_mode = '') */ 1",
  "SELECT /* a /* b */ SLEEP(1) */ 1",
  "SELECT 1 /* open",
  "SELECT 1 --SLEEP(1)",
  "SELECT 'open",
  'SELECT "a\\"" , SLEEP(1), ""',
  "SELECT 1 \u00a0INTO OUTFILE 'x'",
  "SELECT 1 \u0001; DROP TABLE t",
  "SELECT 1\0",
  "SHOW GRANTS",
  "SHOW PROCESSLIST",
  "SHOW BINARY LOGS",
  "SHOW TABLES WHERE SLEEP(5)",
  "SHOW CREATE USER root",
  "DESCRIBE t; DROP TABLE t",
  "SELECT * FROM t PROCEDURE ANALYSE()",
  "SELECT ExtractValue(1, 2) FROM t WHERE 1 = SLEEP(3)",
];

const reading = [
  "SELECT 1",
  "SELECT 'it''s \\' , SLEEP(1) -- '",
  "SELECT 'DROP TABLE t; -- ''x''', \"it's\", `insert` FROM `update` -- a comment",
  "SELECT REPLACE(a, 'x', 'y'), INSERT(a, 1, 2, 'z'), t.`set` FROM t # a comment",
  "WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 9) SELECT * FROM n",
  "SELECT a, ROW_NUMBER() OVER (PARTITION BY b ORDER BY c) FROM t GROUP BY a WITH ROLLUP",
  "SELECT GROUP_CONCAT(DISTINCT a ORDER BY b SEPARATOR ', ') FROM t HAVING COUNT(*) > 1 LIMIT 5, 10",
  "SELECT j->>'$.a', DATE_SUB(NOW(), INTERVAL 3 MONTH), CAST(a AS DECIMAL(10, 2)), @@version FROM t",
  "SELECT * FROM t USE INDEX (i) WHERE (a, b) IN ((1, 2)) AND MATCH(c) AGAINST('x')",
  "(SELECT 1) UNION (SELECT 2) LIMIT 1",
  "SHOW FULL TABLES FROM shop LIKE 'o%'",
  "SHOW CREATE TABLE orders",
  "SHOW TABLE STATUS",
  "DESCRIBE shop.orders",
  "EXPLAIN FORMAT=JSON SELECT * FROM t",
];

describe("statements for MySQL", () => {
  it.each(hostile)("that do more than read are refused: %j", async (statement) => {
    await expect(checkMysql(statement)).rejects.toMatchObject({ name: "ToolError" });
  });

  it.each(reading)("that read are allowed: %s", async (statement) => {
    await expect(checkMysql(statement)).resolves.toMatchObject({ functions: [] });
  });

  it("are sent without comments", async () => {
    const { text } = await checkMysql("SELECT 1 /* one */ , 2 -- two\n, '--' # three\n;");
    expect(text.replace(/ +/g, " ")).toBe("SELECT 1 , 2 , '--'");
  });

  it("that can't be read come back with what is wrong", async () => {
    await expect(checkMysql("SELECT a FROM t GROUP")).rejects.toThrow("can't be read");
    await expect(checkMysql("SELECT MY_SUM(1)")).rejects.toThrow("function my_sum isn't one");
  });
});
