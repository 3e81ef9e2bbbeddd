import type { ApiKeyWire } from "@carrel/contracts";
import { describe, expect, it } from "@jest/globals";
import { faultsOf, formOf, isExpired, limitsOf, newKeyForm } from "./api-keys.ts";

const now = new Date(2026, 4, 10, 12);
const key: ApiKeyWire = {
  id: 1,
  name: "Nightly",
  secret: "***",
  createdBy: null,
  createdAt: now.toISOString(),
  lastUpdatedAt: now.toISOString(),
  lastUsedAt: null,
  scopes: ["read", "documents"],
  workspaceIds: [3, 4],
  expiresAt: "2026-08-01T00:00:00.000Z",
  requestsPerMinute: 60,
};

describe("the form of an API key", () => {
  it("creates a key that chats in one workspace for 90 days unless more is wanted", () => {
    expect(limitsOf({ ...newKeyForm(7), name: " Backup " }, null, now)).toEqual({
      name: "Backup",
      scopes: ["read", "chat"],
      workspaceIds: [7],
      expiresAt: new Date(now.getTime() + 90 * 86_400_000).toISOString(),
      requestsPerMinute: null,
    });
    expect(
      limitsOf({ ...newKeyForm(7), access: "full", reach: "all", expiry: "never" }, null, now),
    ).toMatchObject({ scopes: ["admin"], workspaceIds: null, expiresAt: null });
    expect(newKeyForm(undefined)).toMatchObject({ access: "limited", reach: "all" });
  });

  it("keeps what an existing key has", () => {
    const { name, scopes, workspaceIds, expiresAt, requestsPerMinute } = key;
    const kept = { name, scopes, workspaceIds, expiresAt, requestsPerMinute };
    expect(limitsOf(formOf(key), key, now)).toEqual(kept);
    expect(limitsOf({ ...formOf(key), access: "full", reach: "all" }, key, now)).toEqual({
      ...kept,
      scopes: ["admin"],
      workspaceIds: null,
    });
  });

  it("expires after days or at the end of a day", () => {
    const expiry = (change: Partial<ReturnType<typeof formOf>>) =>
      limitsOf({ ...formOf(key), ...change }, key, now).expiresAt;
    expect(expiry({ expiry: "7" })).toBe(new Date(2026, 4, 17, 12).toISOString());
    expect(expiry({ expiry: "date", date: "2026-05-10" })).toBe(
      new Date(2026, 4, 11).toISOString(),
    );
    expect(expiry({ expiry: "never" })).toBeNull();
  });

  it("finds what can't be saved", () => {
    const faults = (change: Partial<ReturnType<typeof formOf>>) =>
      Object.keys(faultsOf({ ...newKeyForm(undefined), ...change }, 1_000, now));
    expect(faults({})).toEqual([]);
    expect(faults({ reach: "selected" })).toEqual(["workspaceIds"]);
    expect(faults({ expiry: "date" })).toEqual(["date"]);
    expect(faults({ expiry: "date", date: "2026-05-09" })).toEqual(["date"]);
    expect(faults({ expiry: "date", date: "2026-05-10" })).toEqual([]);
    for (const rate of ["0", "-1", "1.5", "1001", "x"]) expect(faults({ rate })).toEqual(["rate"]);
    expect(faults({ rate: "1000" })).toEqual([]);
  });

  it("tells whether a key has expired", () => {
    expect(isExpired(key, Date.parse("2026-07-31T23:59:59.000Z"))).toBe(false);
    expect(isExpired(key, Date.parse("2026-08-01T00:00:00.000Z"))).toBe(true);
    expect(isExpired({ ...key, expiresAt: null })).toBe(false);
  });
});
