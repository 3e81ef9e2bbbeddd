import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { root } from "./checkout.ts";

/** The newest migration of each service from before the first release; they aren't checked. */
const unreleased: Record<string, number> = {
  auth: 1795610000000,
  chat: 1795720000000,
  connectors: 1795510000000,
  ingest: 1795700000000,
  workspace: 1795800000000,
};

/** Migrations that may shrink the schema, because no supported version uses that part any more. */
const contracting: Record<string, string> = {};

const breaking: [what: string, pattern: RegExp][] = [
  ["drops something", /\bDROP\s+(?:TABLE|COLUMN|VIEW|FUNCTION|TYPE|SCHEMA|TRIGGER|DEFAULT)\b/i],
  ["renames something", /\bRENAME\b/i],
  ["requires a value", /\bSET\s+NOT\s+NULL\b/i],
  ["changes a type", /\bALTER\s+COLUMN\s+\S+\s+(?:SET\s+DATA\s+)?TYPE\b/i],
  [
    "requires a value in a new column",
    /\bADD\s+COLUMN\b(?:(?!\b(?:ADD|DEFAULT|GENERATED)\b|;)[^])*?\bNOT\s+NULL\b(?!(?:(?!\bADD\b|;|,)[^])*\b(?:DEFAULT|GENERATED)\b)/i,
  ],
];

/** What replicas of the previous version couldn't work with, in a migration's source. */
function findBreaks(source: string): string[] {
  const up = source.replace(/\basync down\b[^]*$/, "");
  return breaking.filter(([, pattern]) => pattern.test(up)).map(([what]) => what);
}

const migrationOf = (up: string, down = ""): string =>
  `export class A1 { async up(runner) { await runner.query(\`${up}\`); } async down(runner) { ${down} } }`;

describe("a migration that replicas of the previous version can work with", () => {
  it.each([
    "CREATE TABLE share (id uuid PRIMARY KEY, name text NOT NULL)",
    "ALTER TABLE share ADD COLUMN note text",
    "ALTER TABLE share ADD COLUMN uses integer NOT NULL DEFAULT 0, ADD COLUMN note text",
    "ALTER TABLE share ADD COLUMN uses integer DEFAULT 0 NOT NULL",
    "ALTER TABLE share ADD COLUMN words tsvector NOT NULL GENERATED ALWAYS AS (x) STORED",
    "ALTER TABLE share ALTER COLUMN name DROP NOT NULL",
    "DROP INDEX share_name_idx",
  ])("may contain: %s", (up) => {
    expect(findBreaks(migrationOf(up, "DROP TABLE share"))).toEqual([]);
  });

  it.each([
    ["DROP TABLE share", "drops something"],
    ["ALTER TABLE share ADD COLUMN a text,\n DROP COLUMN b", "drops something"],
    ["DROP FUNCTION admit_call", "drops something"],
    ["ALTER TABLE share RENAME COLUMN a TO b", "renames something"],
    ["ALTER TABLE share ALTER COLUMN a SET NOT NULL", "requires a value"],
    ["ALTER TABLE share ALTER COLUMN a TYPE jsonb", "changes a type"],
    ["ALTER TABLE share ADD COLUMN a text NOT NULL", "requires a value in a new column"],
    [
      "ALTER TABLE share ADD COLUMN a text NOT NULL, ADD COLUMN b text DEFAULT ''",
      "requires a value in a new column",
    ],
    [
      "ALTER TABLE share ADD COLUMN a text DEFAULT '', ADD COLUMN b text NOT NULL",
      "requires a value in a new column",
    ],
  ])("must not contain: %s", (up, what) => {
    expect(findBreaks(migrationOf(up))).toContain(what);
  });

  it("is each one since the first release", () => {
    const found = globSync("services/*/src/database/migrations/*.ts", { cwd: root }).flatMap(
      (path) => {
        const [, service = ""] = path.split("/");
        const name = basename(path, ".ts");
        if (Number(name.split("-")[0]) <= (unreleased[service] ?? 0) || name in contracting)
          return [];
        return findBreaks(readFileSync(join(root, path), "utf8")).map((what) => `${path} ${what}`);
      },
    );
    expect(found).toEqual([]);
  });
});
