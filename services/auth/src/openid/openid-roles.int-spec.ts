import { setTimeout as sleep } from "node:timers/promises";
import { poll } from "@carrel/testing";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import {
  useOpenIdInstance,
  redirectUri,
  provider,
  sql,
  running,
  start,
  begin,
  complete,
  signIn,
  userOf,
  person,
  expectFailure,
} from "../../test/openid-instance.ts";

useOpenIdInstance();

describe("roles from a claim", () => {
  const values = {
    CARREL_OIDC_ROLE_CLAIM: "groups",
    CARREL_OIDC_ADMIN_VALUES: "boss",
    CARREL_OIDC_MANAGER_VALUES: "lead",
    CARREL_OIDC_USER_VALUES: "staff",
  };
  beforeAll(() => start(values));
  afterAll(() => start());

  it("are assigned at sign-up, updated at each sign-in, and announced to every cache", async () => {
    const changes: unknown[] = [];
    running!.shared.messaging.broadcast.on("event:access.changed", (payload) =>
      changes.push(payload),
    );
    const login = person({ preferred_username: "rola", groups: ["staff"] });
    await signIn(login);
    const { id, role } = (await userOf(login))!;
    expect(role).toBe("default");
    await sleep(50);
    expect(changes).toEqual([]);
    for (const [groups, from, to] of [
      [["lead"], "default", "manager"],
      ["boss", "manager", "admin"],
      [["staff", "x"], "admin", "default"],
    ] as const) {
      provider.people.set(login, { groups });
      await signIn(login);
      expect((await userOf(login))!.role).toBe(to);
      expect(changes).toContainEqual({ userId: id });
      await poll(() => running!.logged.at(-1)).toMatchObject({
        event: "user_updated",
        userId: id,
        metadata: { changes: { role: { from, to } }, by: "openid" },
      });
    }
  });

  it("refuse people without a matching value, at sign-up and later, and leave the account unchanged", async () => {
    await expect(signIn(person({ groups: ["guests"] }))).rejects.toMatchObject({
      kind: "UNAUTHENTICATED",
      message: expect.stringContaining("no access"),
    });
    await expectFailure("role_refused");
    const login = person({ preferred_username: "leaver", groups: ["lead"] });
    await signIn(login);
    provider.people.set(login, {});
    await expect(signIn(login)).rejects.toMatchObject({ kind: "UNAUTHENTICATED" });
    expect((await userOf(login))!.role).toBe("manager");
  });

  it("never demote the last admin, and keep one of two admins demoted simultaneously", async () => {
    const logins = [
      person({ preferred_username: "adm-a", groups: ["boss"] }),
      person({ preferred_username: "adm-b", groups: ["boss"] }),
    ];
    for (const login of logins) await signIn(login);
    await sql.query(
      `UPDATE auth."user" SET role = 'default' WHERE username NOT IN ('adm-a', 'adm-b')`,
    );
    for (const login of logins) provider.people.set(login, { groups: ["staff"] });
    await Promise.all(logins.map((login) => signIn(login)));
    const roles = await Promise.all(logins.map(async (login) => (await userOf(login))!.role));
    expect(roles.sort()).toEqual(["admin", "default"]);
    for (const login of logins) await signIn(login);
    expect(await sql.query(`SELECT 1 FROM auth."user" WHERE role = 'admin'`)).toHaveLength(1);
    await sql.query(`UPDATE auth."user" SET role = 'admin' WHERE username = 'the-admin'`);
  });
});

describe("the redirect target", () => {
  it.each([
    "//evil.example",
    "/\\evil.example",
    "https://evil.example",
    "/..//evil.example",
    "/sso/simple?token=x",
  ])("%s is dropped", async (redirectTo) => {
    expect((await signIn(person(), redirectTo)).redirectTo).toBeNull();
  });
});

describe("an instance", () => {
  it("reports that no provider is configured", async () => {
    await start({ CARREL_OIDC_CLIENT_ID: "" });
    await expect(begin()).rejects.toMatchObject({
      kind: "DISABLED",
      message: expect.stringContaining("isn't set up"),
    });
    await start();
  });

  it("reports that it is in single-user mode", async () => {
    const { sealed } = await begin();
    await sql.query(`UPDATE auth.instance_access SET mode = 'single'`);
    await expect(begin()).rejects.toMatchObject({
      kind: "DISABLED",
      message: expect.stringContaining("user accounts"),
    });
    await expect(complete(`${redirectUri}?code=a&state=b`, sealed)).rejects.toMatchObject({
      kind: "DISABLED",
    });
    await sql.query(`UPDATE auth.instance_access SET mode = 'multi'`);
  });
});
