import type { UserWire } from "@carrel/contracts";
import { describe, expect, it } from "@jest/globals";
import { changedFields, formOf, userFormRules } from "./user-dialog.tsx";

const mira: UserWire = {
  id: 2,
  username: "mira.k@example.org",
  pfpFilename: null,
  role: "manager",
  suspended: 0,
  seen_recovery_codes: true,
  createdAt: "2026-11-01T08:00:00Z",
  lastUpdatedAt: "2026-11-01T08:00:00Z",
  dailyMessageLimit: 50,
  bio: "Heat",
  email: "mira.k@example.org",
  theme: null,
  userLang: null,
  secondFactor: false,
};
const faults = (user: UserWire | null, change: Partial<ReturnType<typeof formOf>>): string[] =>
  userFormRules(user)
    .safeParse({ ...formOf(user), ...change })
    .error?.issues.map((issue) => issue.message) ?? [];

describe("user form", () => {
  it("requires a name and a password for a new user", () => {
    expect(faults(null, {})).toEqual([
      "common:credential.nameShort",
      "common:credential.passwordShort",
    ]);
    expect(faults(null, { username: "Mira", password: "longenough" })).toEqual([
      "common:credential.nameCharacters",
    ]);
    expect(faults(null, { username: "mira", password: "longenough" })).toEqual([]);
  });
  it("keeps an existing name from single sign-on, but rejects a new one like it", () => {
    expect(faults(mira, {})).toEqual([]);
    expect(faults(mira, { username: "mira.kow" })).toEqual(["common:credential.nameCharacters"]);
  });
  it("validates the limit, e-mail and bio", () => {
    expect(faults(mira, { limit: "0", email: "mira", bio: "x".repeat(1001) })).toEqual([
      "admin:users.emailFault",
      "admin:users.limitFault",
      "admin:users.bioFault",
    ]);
    expect(faults(mira, { limit: "1.5" })).toEqual(["admin:users.limitFault"]);
    expect(faults(mira, { limit: "", email: "", bio: "" })).toEqual([]);
  });
  it("sends only the fields that changed", () => {
    expect(changedFields(mira, formOf(mira))).toEqual({});
    expect(changedFields(mira, { ...formOf(mira), limit: "", bio: "", email: " " })).toEqual({
      dailyMessageLimit: null,
      bio: "",
      email: "",
    });
    expect(
      changedFields(null, { ...formOf(null), username: "ola", password: "longenough", limit: "7" }),
    ).toEqual({ username: "ola", password: "longenough", role: "default", dailyMessageLimit: 7 });
  });
});
