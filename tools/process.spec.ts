import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "@jest/globals";
import { keepLogSmall } from "./process.ts";

it("a server's log above its limit is moved aside, and one old log is kept", () => {
  const folder = mkdtempSync(join(tmpdir(), "carrel-log-"));
  const file = join(folder, "redis.log");
  keepLogSmall(file, 10);
  for (const size of [5, 50, 60]) {
    writeFileSync(file, "x".repeat(size));
    keepLogSmall(file, 10);
    expect(readdirSync(folder)).toEqual(size === 5 ? ["redis.log"] : ["redis.log.1"]);
  }
  rmSync(folder, { recursive: true });
});
