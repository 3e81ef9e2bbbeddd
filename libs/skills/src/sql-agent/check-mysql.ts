import { requireQuery } from "./check-other.ts";
import type { CheckedStatement } from "./sql-engine.ts";
import { refuseStatement } from "./sql-fault.ts";
import { mysqlFunctions } from "./sql-functions.ts";
import {
  mysqlSyntax,
  requireReading,
  scanSql,
  type SqlRules,
  type SqlToken,
} from "./sql-scanner.ts";

const words = (list: string): ReadonlySet<string> => new Set(list.split(/\s+/));

/**
 * Reserved words of MySQL 8.4 and MariaDB 11 (a name must be quoted then), which are all that a
 * statement needs to write, lock, load or call something.
 */
const rules: SqlRules = {
  starts: words("SELECT WITH EXPLAIN DESCRIBE DESC SHOW VALUES TABLE"),
  refusedWords: words(
    `ALTER CALL CREATE DELETE DROP DUMPFILE GRANT HANDLER IMPORT INSERT INTO KILL LOAD LOCK OPTIMIZE
    OUTFILE PROCEDURE PURGE RENAME REPLACE REVOKE SET SIGNAL TRIGGER UNLOCK UPDATE RETURNING`,
  ),
  functionWords: words("INSERT REPLACE"),
  functions: mysqlFunctions,
  keywords: words(
    `SELECT FROM WHERE AND OR NOT XOR IN ANY ALL SOME EXISTS ON USING AS OVER BY HAVING WHEN THEN ELSE
    CASE BETWEEN LIKE RLIKE REGEXP UNION INTERSECT EXCEPT DISTINCT JOIN LATERAL VALUES ROW INDEX KEY
    PARTITION WINDOW WITH LIMIT INTERVAL DIV MOD IS AGAINST COLUMNS NESTED PATH OF IF
    CHAR VARCHAR DECIMAL NUMERIC BINARY VARBINARY DATETIME TIME FLOAT DOUBLE SIGNED UNSIGNED
    NCHAR BIT INT INTEGER TIMESTAMP STRAIGHT_JOIN OFFSET RANGE ROWS`,
  ),
  methods: new Set(),
  refusedNames: /^(mysql|performance_schema|processlist|user_privileges|innodb_.*|user_variables)$/,
  hasDottedWords: true,
};

const shown = /^SHOW( FULL)? (DATABASES|SCHEMAS|TABLES|COLUMNS|FIELDS|INDEX|INDEXES|KEYS|VIEWS)\b/;
const shownOther = /^SHOW (TABLE STATUS|CREATE (TABLE|VIEW))\b/;

/** Throws ToolError unless it is a single statement that only reads. */
export async function checkMysql(statement: string): Promise<CheckedStatement> {
  const { text, tokens } = scanSql(statement, mysqlSyntax);
  const opening = tokens
    .slice(0, 4)
    .map((token) => token.text)
    .join(" ");
  const isShown = tokens[0]!.text === "SHOW" && tokens[0]!.kind === "word";
  // SHOW CREATE TABLE contains a word that nothing else may.
  const checked = isShown && shownOther.test(opening) ? tokens.filter(isNotCreate) : tokens;
  requireReading(checked, rules);
  if (isShown) {
    if (!shown.test(opening) && !shownOther.test(opening))
      throw refuseStatement("SHOW is only for databases, tables, columns, indexes and views.");
  } else if (!["DESCRIBE", "DESC"].includes(opening.split(" ")[0]!) || tokens.length > 4)
    await requireQuery(withoutExplain(text, tokens), "mysql");
  return { text, functions: [] };
}

const isNotCreate = (token: SqlToken, at: number): boolean => at !== 1 || token.text !== "CREATE";

/** The query that is explained. */
function withoutExplain(text: string, tokens: readonly SqlToken[]): string {
  if (!["EXPLAIN", "DESCRIBE", "DESC"].includes(tokens[0]!.text)) return text;
  const start = tokens.find(
    (token) => token.kind === "word" && ["SELECT", "WITH", "TABLE", "VALUES"].includes(token.text),
  );
  return start === undefined ? text : text.slice(start.start);
}
