import { renderFault } from "@carrel/contracts";
import { describe, expect, it } from "@jest/globals";
import { findDeadSettings } from "./setting-store.ts";

describe("findDeadSettings", () => {
  const key = "PGVectorConnectionString";
  const tell = async (address: string): Promise<string | undefined> => {
    const fault = (await findDeadSettings({ [key]: address })).get(key);
    return fault && renderFault(fault);
  };
  it("reports an unreachable database without revealing its password", async () => {
    const said = await tell("postgresql://carrel:wrong-secret@127.0.0.1:9/vectors");
    expect(said).toMatch(/^Couldn't reach PGVector at 127\.0\.0\.1:9/);
    expect(said).not.toContain("wrong-secret");
  });
  it("refuses a socket on the server", async () => {
    expect(await tell("postgresql://carrel:x@/vectors?host=/var/run/postgresql")).toBeDefined();
  });
  it("skips masked, empty, invalid and unrelated values", async () => {
    for (const value of [
      "********************",
      "",
      "mysql://127.0.0.1:9/x",
      "postgresql://carrel:x@169.254.169.254/vectors", // refused by validateSetting
    ])
      expect((await findDeadSettings({ [key]: value })).size).toBe(0);
    expect((await findDeadSettings({ VectorDB: "pgvector" })).size).toBe(0);
  });
});
