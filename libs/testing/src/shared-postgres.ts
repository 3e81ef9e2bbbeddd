import { join } from "node:path";
import { startPostgres } from "../../../tools/postgres.ts";
import { byContainerOrLocally } from "./docker.ts";
import { guardedFolder } from "./guard.ts";

async function startLocally(): Promise<string> {
  const server = await startPostgres({
    folder: join(guardedFolder("carrel-test-pg-"), "postgres"),
    settings: {
      fsync: "off",
      synchronous_commit: "off",
      full_page_writes: "off",
      max_connections: "400",
      autovacuum: "off",
    },
  });
  return server.url;
}

/**
 * Starts a PostgreSQL server for tests; it ends with this process. Durability is disabled: test
 * data need not survive a power cut.
 */
export const startSharedPostgres = (): Promise<string> =>
  byContainerOrLocally(
    "PostgreSQL",
    async () => (await import("./containers.ts")).startPostgresContainer(),
    startLocally,
  );
