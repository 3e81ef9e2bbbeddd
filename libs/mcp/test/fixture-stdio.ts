// A program that serves the fixture over its standard streams.
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { makeFixtureServer } from "./fixture-server.ts";

const { FIXTURE_LOOK, FIXTURE_MANY, FIXTURE_SILENT, FIXTURE_DIE } = process.env;
if (FIXTURE_DIE !== undefined) {
  process.stderr.write("cannot find the database\n");
  process.exit(1);
}
if (FIXTURE_SILENT === undefined)
  serveStdio(() =>
    makeFixtureServer({
      ...(FIXTURE_LOOK === undefined ? {} : { look: FIXTURE_LOOK }),
      many: Number(FIXTURE_MANY ?? 0),
    }),
  );
else process.stdin.resume();
