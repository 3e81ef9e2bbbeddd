// SQL in one style, for tools/lint-plugin.ts: keywords in upper case, identifiers quoted only where
// needed.

/** PostgreSQL's reserved words (pg_get_keywords, categories R and T). */
const reserved = new Set(
  `all analyse analyze and any array as asc asymmetric authorization binary both case cast check
  collate collation column concurrently constraint create cross current_catalog current_date
  current_role current_schema current_time current_timestamp current_user default deferrable desc
  distinct do else end except false fetch for foreign freeze from full grant group having ilike in
  initially inner intersect into is isnull join lateral leading left like limit localtime
  localtimestamp natural not notnull null offset on only or order outer overlaps placing primary
  references returning right select session_user similar some symmetric system_user table
  tablesample then to trailing true union unique user using variadic verbose when where window
  with`.split(/\s+/),
);

const isSql =
  /^\s*(?:SELECT\s|INSERT INTO\s|UPDATE\s+\S+\s|DELETE FROM\s|WITH\s+\S+\s|FROM\s|WHERE\s)|\b(?:INSERT INTO|DELETE FROM|ON CONFLICT|IS NOT NULL|IS NULL|GROUP BY|ORDER BY|NOT EXISTS|LEFT JOIN)\b|\bSELECT\b[^]*\b(?:FROM|AS)\b/;
const lowerCaseStatement =
  /^\s*(?:select\s[^]*\sfrom\s+\S+\s*(?:$|where|join|left|order|group|limit|for\s)|insert into\s+\S+\s*(?:\(|select|values)|update\s+\S+\s+set\s+\S+\s*=|delete from\s+\S+\s+(?:where|using)\b|with\s+\w+\s+as\s+\(|(?:create|alter|drop)\s+(?:table|index|role|schema|function|trigger)\s)/;
const lowerCaseKeyword =
  /(?<![\w.$-]|AS )(?:select|insert into|delete from|from|where|and|or|not|is|null|join|left join|order by|group by|having|returning|values|on conflict|union|limit|case|when|then|exists)(?![\w(.:-])/;
const quoted = /"([a-z_][a-z0-9_]*)"/g;

/** What is wrong with a text, if it is SQL; `§` stands for an interpolated value. */
export function findSqlFault(text: string): string | null {
  if (lowerCaseStatement.test(text)) return "Write SQL keywords in upper case.";
  if (!isSql.test(text)) return null;
  const code = text.replace(/--.*$/gm, "").replace(/'(?:[^']|'')*'/g, "''");
  if (lowerCaseKeyword.test(code.replace(/"[^"]*"/g, '""')))
    return "Write SQL keywords in upper case.";
  for (const [, name] of code.matchAll(quoted))
    if (!reserved.has(name!)) return `"${name}" needs no quotes in SQL.`;
  return null;
}
