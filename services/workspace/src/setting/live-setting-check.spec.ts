import { describe, expect, it } from "@jest/globals";
import { findDeadSettings } from "./live-setting-check.ts";

describe("findDeadSettings", () => {
  const key = "PGVectorConnectionString";
  it("reports an unreachable database without revealing its password", async () => {
    const said = (
      await findDeadSettings({ [key]: "postgresql://carrel:wrong-secret@127.0.0.1:9/vectors" })
    ).get(key);
    expect(said).toMatch(/^Couldn't reach PGVector at 127\.0\.0\.1:9/);
    expect(said).not.toContain("wrong-secret");
  });
  it("refuses addresses that hand out credentials", async () => {
    expect(
      (await findDeadSettings({ [key]: "postgresql://carrel:x@169.254.169.254/vectors" })).get(key),
    ).toContain("belongs to the server's cloud");
    expect(
      (
        await findDeadSettings({ [key]: "postgresql://carrel:x@/vectors?host=/var/run/postgresql" })
      ).get(key),
    ).toBeDefined();
  });
  it("skips masked, empty, invalid and unrelated values", async () => {
    for (const value of ["********************", "", "mysql://127.0.0.1:9/x"])
      expect((await findDeadSettings({ [key]: value })).size).toBe(0);
    expect((await findDeadSettings({ VectorDB: "pgvector" })).size).toBe(0);
  });
});
