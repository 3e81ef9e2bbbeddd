import { expect, it } from "@jest/globals";
import { findSqlFault } from "./lint-sql.ts";

it.each([
  "SELECT id FROM turn WHERE state = 'select from where' ORDER BY id",
  'SELECT "end", "from", t."user" AS "userId" FROM "user" t JOIN "§".outbox USING (id)',
  "SELECT to_regclass($1) IS NOT NULL AS exists",
  "Select all documents from the list",
  "update the index, then delete from it what is old",
  'INSERT INTO note (text) VALUES (\'{"kind":"move"}\')',
])("accepts %s", (text) => {
  expect(findSqlFault(text)).toBeNull();
});

it.each([
  ["select id from turn where id = $1", "Write SQL keywords in upper case."],
  ["\n  update turn set state = 'done'", "Write SQL keywords in upper case."],
  ["delete from turn where id = $1", "Write SQL keywords in upper case."],
  ["with old as (SELECT 1) SELECT 2", "Write SQL keywords in upper case."],
  ["SELECT id FROM turn where id = $1", "Write SQL keywords in upper case."],
  ['SELECT "id" FROM turn', '"id" needs no quotes in SQL.'],
])("refuses %s", (text, fault) => {
  expect(findSqlFault(text)).toBe(fault);
});
