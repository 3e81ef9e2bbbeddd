import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
// SQL names each table with its schema, so that a reader sees whose it is, and no statement depends
// on a connection's search path. Migrations don't change after they land.
import { expect, it } from "@jest/globals";
import { root } from "./checkout.ts";
import { services } from "./services.ts";

const read = (file: string): string => readFileSync(join(root, file), "utf8");

it.each(services)("statements of %s name the schema of each table", (service) => {
  const files = globSync(`services/${service}/{src,test}/**/*.ts`, { cwd: root });
  const isMigration = (file: string): boolean => file.includes("/migrations/");
  const created = /CREATE TABLE (?:IF NOT EXISTS )?(?:"?\w+"?\.)?"?(\w+)"?/g;
  const tables = new Set(
    files.filter(isMigration).flatMap((file) => [...read(file).matchAll(created)].map((m) => m[1])),
  );
  expect(tables.size).toBeGreaterThan(2);
  const bare = new RegExp(
    `\\b(?:FROM|JOIN|INTO|UPDATE|USING|ONLY) (?:${[...tables, "outbox"].join("|")})\\b(?![.(\\w])`,
    "g",
  );
  expect(
    files
      .filter((file) => !isMigration(file))
      .flatMap((file) => (read(file).match(bare) ?? []).map((found) => `${file}: ${found}`)),
  ).toEqual([]);
});
