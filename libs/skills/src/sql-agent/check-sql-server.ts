import { requireQuery } from "./check-other.ts";
import type { CheckedStatement } from "./sql-engine.ts";
import { refuseStatement } from "./sql-fault.ts";
import { sqlServerFunctions } from "./sql-functions.ts";
import { requireReading, scanSql, sqlServerSyntax, type SqlRules } from "./sql-scanner.ts";

const words = (list: string): ReadonlySet<string> => new Set(list.split(/\s+/));

/**
 * In Transact-SQL, one statement may follow another without a semicolon, so every word that starts
 * one is refused wherever it stands. Nearly all are reserved (SQL Server 2025), so that names are
 * quoted; the others are rare.
 */
const rules: SqlRules = {
  starts: words("SELECT WITH"),
  refusedWords: words(
    `ALTER BACKUP BEGIN BREAK BULK CHECKPOINT CLOSE COMMIT CONTINUE CREATE DBCC DEALLOCATE DECLARE
    DELETE DENY DISK DROP DUMP EXEC EXECUTE EXIT GO GOTO GRANT HOLDLOCK IF INSERT INTO KILL LOAD MERGE
    OPEN OPENDATASOURCE OPENQUERY OPENROWSET OPENXML PREDICT PRINT RAISERROR READTEXT RECEIVE
    RECONFIGURE RESTORE RETURN REVERT REVOKE ROLLBACK SAVE SECURITYAUDIT SEND SET SETUSER SHUTDOWN
    SERIALIZABLE TABLOCK TABLOCKX THROW TRUNCATE UPDATE UPDATETEXT UPDLOCK USE WAITFOR WHILE WRITETEXT
    XLOCK ENABLE DISABLE`,
  ),
  functionWords: new Set(),
  functions: sqlServerFunctions,
  keywords: words(
    `SELECT FROM WHERE AND OR NOT IN ANY ALL SOME EXISTS ON AS OVER BY HAVING WHEN THEN ELSE CASE
    BETWEEN LIKE UNION INTERSECT EXCEPT DISTINCT JOIN APPLY VALUES WITH TOP PIVOT UNPIVOT FOR GROUP
    OPTION TABLESAMPLE FETCH OFFSET ESCAPE IS ROLLUP CUBE SETS PATH ROOT RAW AUTO SYSTEM_TIME
    VARCHAR NVARCHAR CHAR NCHAR DECIMAL NUMERIC VARBINARY BINARY FLOAT DATETIME2 DATETIMEOFFSET TIME
    INDEX CONTAINED WINDOW`,
  ),
  methods: words(
    "VALUE QUERY EXIST NODES STDISTANCE STASTEXT STX STY TOSTRING GETLEVEL GETANCESTOR ISDESCENDANTOF",
  ),
  refusedNames:
    /^(xp_.*|sp_.*|dm_.*|fn_.*|sql_logins|syslogins|credentials|linked_logins|remote_logins|server_principals|sysprocesses|sysusers|symmetric_keys|asymmetric_keys|key_encryptions|sysxlgns|database_credentials|database_scoped_credentials)$/,
  hasDottedWords: false,
};

/** Throws ToolError unless it is a single query. */
export async function checkSqlServer(statement: string): Promise<CheckedStatement> {
  const { text, tokens } = scanSql(statement, sqlServerSyntax);
  requireReading(tokens, rules);
  let dots = 0;
  tokens.forEach((token, at) => {
    const isDot = token.kind === "symbol" && token.text === ".";
    const isPart = token.kind === "word" || token.kind === "quoted";
    const before = tokens[at - 1];
    const follows = before?.kind === "symbol" && before.text === ".";
    dots = isDot ? dots + 1 : isPart && follows ? dots : 0;
    // The first of four parts is a linked server.
    if (dots > 2)
      throw refuseStatement("names may have three parts at most: database.schema.table.");
  });
  await requireQuery(text, "tsql");
  return { text, functions: [] };
}
