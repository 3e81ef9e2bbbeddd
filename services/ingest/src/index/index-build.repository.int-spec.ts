import { randomUUID } from "node:crypto";
import { servicePrincipal } from "@carrel/contracts";
import { createDataSource, migrate } from "@carrel/database";
import { testDatabase } from "@carrel/testing";
import { expect, it } from "@jest/globals";
import { ingestDatabase } from "../ingest.database.ts";
import { IndexBuildRepository } from "./index-build.repository.ts";

const scope = { principal: servicePrincipal, workspace: null };

it("assigns a build to one job of its version, and again to that job after a crash", async () => {
  const database = await testDatabase();
  await migrate(database.url, ingestDatabase);
  const source = await createDataSource(database.url, ingestDatabase, { poolSize: 4 }).initialize();
  try {
    const builds = new IndexBuildRepository(source);
    const id = randomUUID();
    await source.query(
      `INSERT INTO ingest.search_index (
        id, role, engine, model, embedder, vector_database, vector_place, text_place, settings
      )
      VALUES ($1, 'building', 'e', 'm', 'e/m', 'lancedb', '', '', '')`,
      [id],
    );
    const [{ version }] = await source.query(
      "SELECT version FROM ingest.search_index WHERE id = $1",
      [id],
    );
    const claim = (isRedelivery: boolean, of: number = version) =>
      builds.claim(scope, id, of, isRedelivery);
    const duplicates = await Promise.all([claim(false), claim(false), claim(false)]);
    expect(duplicates.filter(Boolean)).toHaveLength(1);
    expect(await claim(true)).toBe(true);
    expect(await claim(true, version + 1)).toBe(false);
    await source.query("UPDATE ingest.search_index SET lease_until = now() WHERE id = $1", [id]);
    expect(await claim(false)).toBe(true);
  } finally {
    await source.destroy();
    await database.drop();
  }
});
