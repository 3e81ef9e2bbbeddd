import { describe, expect, it } from "@jest/globals";
import { makePassword, nameFault, passwordFault } from "./credential-rules.ts";

describe("credential rules", () => {
  it("accepts names of 2 to 64 lowercase letters, digits, underscores and hyphens", () => {
    expect(["ab", "a_b-9", "9a", "x".repeat(64)].map((name) => nameFault(name))).toEqual([
      null,
      null,
      null,
      null,
    ]);
    expect(
      ["", "a", "x".repeat(65), "Mira", "mira k", "mira.k", "mira@k", "mi\u0000ra", "mïra"].map(
        (name) => nameFault(name),
      ),
    ).toEqual([
      "nameShort",
      "nameShort",
      "nameLong",
      ...Array.from({ length: 6 }, () => "nameCharacters"),
    ]);
  });
  it("requires six characters of the first admin", () => {
    expect([
      nameFault("admin", { firstAdmin: true }),
      nameFault("admins", { firstAdmin: true }),
    ]).toEqual(["nameShortFirstAdmin", null]);
  });
  it("accepts any eight printable characters as a password", () => {
    expect(["hünter #2", "🔑".repeat(8), "x".repeat(250)].map(passwordFault)).toEqual([
      null,
      null,
      null,
    ]);
    expect(
      ["", "1234567", "🔑".repeat(4), "x".repeat(251), "tab\there!", "        "].map(passwordFault),
    ).toEqual([
      "passwordShort",
      "passwordShort",
      "passwordShort",
      "passwordLong",
      "passwordCharacters",
      "passwordBlank",
    ]);
  });
  it("generates valid passwords, never the same twice", () => {
    const made = Array.from({ length: 200 }, () => makePassword());
    expect(
      made.every(
        (password) =>
          password.length === 20 &&
          passwordFault(password) === null &&
          /^[a-zA-Z2-9]+$/.test(password),
      ),
    ).toBe(true);
    expect(new Set(made).size).toBe(200);
  });
});
