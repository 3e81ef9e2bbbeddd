import { describe, expect, it } from "@jest/globals";
import {
  claimAt,
  decideRole,
  isIncomplete,
  normaliseUsername,
  numberedUsername,
  readPerson,
} from "./openid-person.ts";

const token = (claims: Record<string, unknown> = {}) => ({
  iss: "https://id.example",
  sub: "s1",
  ...claims,
});
const roles = (roleValues: string[] | null) => ({ roleValues });

describe("claims", () => {
  it("are found by name, by path, and by a name with dots in it; never on a prototype", () => {
    expect(claimAt({ groups: ["a"] }, "groups")).toEqual(["a"]);
    expect(
      claimAt({ resource_access: { carrel: { roles: ["a"] } } }, "resource_access.carrel.roles"),
    ).toEqual(["a"]);
    expect(claimAt({ "https://example.org/roles": ["a"] }, "https://example.org/roles")).toEqual([
      "a",
    ]);
    for (const path of ["constructor", "__proto__", "groups.length.x", "a.b", "toString.name"])
      expect(claimAt({ groups: ["a"], a: null }, path)).toBeUndefined();
  });

  it("are requested from userinfo if the id token lacks them", () => {
    expect(isIncomplete(token({ email: "a@example.org", email_verified: true }), undefined)).toBe(
      false,
    );
    expect(isIncomplete(token({ email: "a@example.org" }), undefined)).toBe(true);
    expect(isIncomplete(token(), undefined)).toBe(true);
    expect(isIncomplete(token({ email: "a@example.org", email_verified: false }), "groups")).toBe(
      true,
    );
  });
});

describe("the verified address", () => {
  it.each([
    ["true", token({ email: "Mia@Example.org", email_verified: true }), null, "mia@example.org"],
    ["not said", token({ email: "mia@example.org" }), null, null],
    ["false", token({ email: "mia@example.org", email_verified: false }), null, null],
    [
      'the word "true" as text',
      token({ email: "mia@example.org", email_verified: "true" }),
      null,
      null,
    ],
    [
      "from userinfo",
      token(),
      { email: "mia@example.org", email_verified: true },
      "mia@example.org",
    ],
    [
      "userinfo speaks of the same address",
      token({ email: "mia@example.org" }),
      { email: "mia@example.org", email_verified: true },
      "mia@example.org",
    ],
    [
      "userinfo speaks of another address",
      token({ email: "boss@example.org" }),
      { email: "mia@example.org", email_verified: true },
      null,
    ],
    [
      "one says yes, the other no",
      token({ email: "mia@example.org", email_verified: false }),
      { email: "mia@example.org", email_verified: true },
      null,
    ],
    ["no address at all", token({ email: "mia", email_verified: true }), null, null],
    ["a list", token({ email: ["mia@example.org"], email_verified: true }), null, null],
  ])("%s", (_name, idToken, userinfo, email) => {
    expect(readPerson(idToken, userinfo, undefined).email).toBe(email);
  });
});

describe("user names", () => {
  it.each([
    ["Mia Müller", "mia-muller"],
    ["MIA", "mia"],
    ["mia@example.org", "mia@example.org"],
    ["  a  b ", "a-b"],
    ["Łukasz", "ukasz"],
    ["..mia--", "mia"],
    ["mia\u0000\u202e", "mia"],
    ["李雷", ""],
    ["x".repeat(100), "x".repeat(64)],
  ])("%j becomes %j", (name, username) => {
    expect(normaliseUsername(name)).toBe(username);
  });

  it("are tried in order; an unverified address is not used, and there is always a fallback", () => {
    expect(
      readPerson(
        token({
          preferred_username: "mia",
          email: "mia@example.org",
          email_verified: true,
          name: "Mia M",
        }),
        null,
        undefined,
      ).usernames,
    ).toEqual(["mia", "mia@example.org", "mia-m", "user"]);
    expect(
      readPerson(
        token({ preferred_username: "李", email: "boss@example.org", name: "Mia M" }),
        null,
        undefined,
      ).usernames,
    ).toEqual(["mia-m", "user"]);
    expect(readPerson(token(), null, undefined).usernames).toEqual(["user"]);
  });

  it("are numbered without exceeding the maximum length", () => {
    expect([1, 2, 10].map((number) => numberedUsername("mia", number))).toEqual([
      "mia",
      "mia-2",
      "mia-10",
    ]);
    expect(numberedUsername("x".repeat(64), 12)).toBe(`${"x".repeat(61)}-12`);
  });
});

describe("the role claim", () => {
  const settings = {
    CARREL_OIDC_ROLE_CLAIM: "groups",
    CARREL_OIDC_ADMIN_VALUES: ["boss"],
    CARREL_OIDC_MANAGER_VALUES: ["lead", "head"],
    CARREL_OIDC_USER_VALUES: ["staff"],
  };

  it.each([
    [["staff", "boss", "lead"], "admin"],
    [["head"], "manager"],
    [["staff"], "default"],
    [["other"], "refused"],
    [[], "refused"],
    [null, "refused"],
    [["Boss"], "refused"],
  ])("%j makes %s", (values, role) => {
    expect(decideRole(roles(values), settings)).toBe(role);
  });

  it("admits everyone as a user without user values, decides nothing without a claim, and only admits without values for the higher roles", () => {
    expect(decideRole(roles(null), { ...settings, CARREL_OIDC_USER_VALUES: [] })).toBe("default");
    expect(
      decideRole(roles(["boss"]), { ...settings, CARREL_OIDC_ROLE_CLAIM: undefined }),
    ).toBeNull();
    expect(
      decideRole(roles(["staff"]), {
        ...settings,
        CARREL_OIDC_ADMIN_VALUES: [],
        CARREL_OIDC_MANAGER_VALUES: [],
      }),
    ).toBeNull();
    expect(
      decideRole(roles(["other"]), {
        ...settings,
        CARREL_OIDC_ADMIN_VALUES: [],
        CARREL_OIDC_MANAGER_VALUES: [],
      }),
    ).toBe("refused");
  });

  it("may be text or a list, from the id token or from userinfo", () => {
    expect(readPerson(token({ groups: "boss" }), null, "groups").roleValues).toEqual(["boss"]);
    expect(readPerson(token(), { groups: ["a", 3, null, "b"] }, "groups").roleValues).toEqual([
      "a",
      "b",
    ]);
    expect(readPerson(token({ groups: ["a"] }), { groups: ["boss"] }, "groups").roleValues).toEqual(
      ["a"],
    );
    expect(readPerson(token({ groups: { a: 1 } }), null, "groups").roleValues).toEqual([]);
    expect(readPerson(token(), null, "groups").roleValues).toBeNull();
  });
});
