import { createHmac, randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { startInstance, type Instance } from "@carrel/testing";
import { Api, eventually } from "./api.ts";

const password = "Library card 42!";
type Login = {
  valid: boolean;
  user?: Record<string, unknown> | null;
  token: string | null;
  message: string | null;
  recoveryCodes?: string[];
};
type Outcome = { success: boolean; error: string | null };
/**
 * One-time code of RFC 6238 (SHA-1, six digits, 30 s) for a base32 secret, as an authenticator app
 * computes it.
 */
function oneTimeCode(secret: string, at = Date.now()): string {
  const bits = [...secret.replace(/=+$/, "")]
    .map((letter) =>
      "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(letter).toString(2).padStart(5, "0"),
    )
    .join("");
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const step = Buffer.alloc(8);
  step.writeBigUInt64BE(BigInt(Math.floor(at / 30_000)));
  const mac = createHmac("sha1", key).update(step).digest();
  const offset = mac.at(-1)! & 15;
  return String((mac.readUInt32BE(offset) & 0x7fff_ffff) % 1_000_000).padStart(6, "0");
}
const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");
const forge = (header: unknown, payload: unknown, key: string): string =>
  `${part(header)}.${part(payload)}.${
    key === ""
      ? ""
      : createHmac("sha256", key)
          .update(`${part(header)}.${part(payload)}`)
          .digest("base64url")
  }`;

describe("access for clients of the wire", () => {
  let instance: Instance;
  let admin: Api;
  let manager: Api;
  const api = (token: string | null = null): Api => Object.assign(new Api(instance.url), { token });
  const login = (
    username: string,
    secret: string,
    more: Record<string, unknown> = {},
  ): Promise<Login> =>
    api().json<Login>("POST", "/request-token", { username, password: secret, ...more });
  const signedIn = async (username: string, secret = password): Promise<Api> => {
    const reply = await login(username, secret);
    if (reply.token === null) throw new Error(String(reply.message));
    return api(reply.token);
  };
  const makeUser = async (
    username: string,
    more: Record<string, unknown> = {},
  ): Promise<number> => {
    const { user, error } = await admin.json<{ user: { id: number } | null; error: string | null }>(
      "POST",
      "/admin/users/new",
      { username, password, ...more },
    );
    if (user === null) throw new Error(String(error));
    return user.id;
  };
  const events = async (): Promise<
    { event: string; metadata: string; user: { username: string } }[]
  > =>
    (
      await admin.json<{ logs: { event: string; metadata: string; user: { username: string } }[] }>(
        "POST",
        "/system/event-logs",
        { limit: 100 },
      )
    ).logs;

  beforeAll(async () => {
    instance = await startInstance({ SIMPLE_SSO_ENABLED: "1" });
  }, 240_000);
  afterAll(() => instance?.stop());

  it("starts without a password, takes one and removes it", async () => {
    expect(await api().json("GET", "/system/multi-user-mode")).toEqual({ multiUserMode: false });
    expect(await api().json("GET", "/system/refresh-user")).toEqual({
      success: true,
      user: null,
      message: null,
    });
    expect(
      await api().json("POST", "/system/update-password", {
        usePassword: true,
        newPassword: "short",
      }),
    ).toMatchObject({ success: false, error: expect.stringMatching(/8/) });
    expect(
      await api().json("POST", "/system/update-password", {
        usePassword: true,
        newPassword: "ümläut ✓ and spaces",
      }),
    ).toEqual({ success: true, error: null });
    expect((await api().call("GET", "/system/check-token")).json()).toEqual({
      error: "No auth token found.",
    });
    const wrong = await api().call("POST", "/request-token", { password: "not it" });
    expect([wrong.status, wrong.json()]).toEqual([
      401,
      { valid: false, token: null, message: "[003] Invalid password provided" },
    ]);
    const { token, ...rest } = await api().json<Login>("POST", "/request-token", {
      password: "ümläut ✓ and spaces",
    });
    expect(rest).toEqual({ valid: true, message: null });
    expect(Buffer.from(token!.split(".")[1]!, "base64url").toString()).not.toContain("ümläut");
    for (const bad of [
      "",
      "x",
      "a.b.c",
      forge({ alg: "none", typ: "JWT" }, { sid: randomUUID(), epoch: 1, exp: 4_000_000_000 }, ""),
      forge(
        { alg: "HS256", typ: "JWT" },
        { sid: randomUUID(), epoch: 1, exp: 4_000_000_000 },
        "another key",
      ),
      `${token}x`,
      "ä".repeat(20),
      "x".repeat(20_000),
    ]) {
      const reply = await api(encodeURIComponent(bad) === bad ? bad : encodeURIComponent(bad)).call(
        "GET",
        "/system/check-token",
      );
      expect({ bad: bad.slice(0, 40), status: reply.status, body: reply.json() }).toEqual({
        bad: bad.slice(0, 40),
        status: 401,
        body: { error: expect.any(String) },
      });
    }
    // Signing out revokes the session permanently.
    expect((await api(token).call("GET", "/system/check-token")).text).toBe("OK");
    expect(await api(token).json("POST", "/system/sign-out")).toEqual({ success: true });
    expect((await api(token).call("GET", "/system/check-token")).status).toBe(401);
    const next = await api().json<Login>("POST", "/request-token", {
      password: "ümläut ✓ and spaces",
    });
    expect(
      await api(next.token).json("POST", "/system/update-password", { usePassword: false }),
    ).toEqual({ success: true, error: null });
    expect(await api().json("GET", "/workspaces")).toEqual({ workspaces: [] });
  });

  it("switches to multi-user mode: the first admin owns all existing data", async () => {
    const { slug } = await api().makeWorkspace("Before accounts");
    await api().ask(slug, "Was this asked before there were accounts?");
    const bad = await api().call("POST", "/system/enable-multi-user", {
      username: "abc",
      password,
    });
    expect([bad.status, bad.json()]).toEqual([400, { success: false, error: expect.any(String) }]);
    expect(
      await api().json("POST", "/system/enable-multi-user", { username: "librarian", password }),
    ).toEqual({ success: true, error: null });
    expect((await api().call("GET", "/workspaces")).json()).toEqual({
      error: "No auth token found.",
    });
    const first = await login("librarian", password);
    expect(first).toMatchObject({
      valid: true,
      message: null,
      user: { username: "librarian", role: "admin", suspended: 0, pfpFilename: null, bio: "" },
      recoveryCodes: [
        expect.any(String),
        expect.any(String),
        expect.any(String),
        expect.any(String),
      ],
    });
    expect(JSON.stringify(first)).not.toMatch(/hash|sealed/i);
    admin = api(first.token);
    expect(
      await admin.json("POST", "/system/enable-multi-user", { username: "usurper", password }),
    ).toEqual({ success: false, error: "Multi-user mode is already enabled." });
    const history = await eventually(async () => {
      const { history: items } = await admin.json<{ history: { content: string }[] }>(
        "GET",
        `/workspace/${slug}/chats`,
      );
      return items.length > 0 && items;
    });
    expect(history[0]).toMatchObject({
      role: "user",
      content: "Was this asked before there were accounts?",
    });
    expect(await admin.json("GET", "/system/refresh-user")).toMatchObject({
      success: true,
      user: { username: "librarian" },
    });
    expect(
      (await api().json<{ results: Record<string, unknown> }>("GET", "/setup-complete")).results,
    ).toMatchObject({ MultiUserMode: true, RequiresAuth: true });
    expect((await login("librarian", password)).recoveryCodes).toBeUndefined();
  });

  it("answers a failed login with 200 and the wire's text, identical for unknown users and wrong passwords", async () => {
    expect(await login("nobody-here", password)).toEqual({
      valid: false,
      user: null,
      token: null,
      message: "[001] Invalid login credentials.",
    });
    expect(await login("librarian", "wrong password")).toEqual({
      valid: false,
      user: null,
      token: null,
      message: "[002] Invalid login credentials.",
    });
    expect(await login("\u0001\u202e", "\u0007")).toMatchObject({
      valid: false,
      message: "[001] Invalid login credentials.",
    });
    const id = await makeUser("suspended-one");
    expect(await admin.json("POST", `/admin/user/${id}`, { suspended: 1 })).toEqual({
      success: true,
      error: null,
    });
    expect(await login("suspended-one", password)).toMatchObject({
      valid: false,
      message: "[004] Account suspended by admin.",
    });
  });

  it("enforces the rules for names, passwords and roles", async () => {
    const make = (body: unknown) =>
      admin.json<{ user: unknown; error: string | null }>("POST", "/admin/users/new", body);
    for (const username of [
      "",
      "a",
      "Upper",
      "with space",
      "dot.ted",
      "at@sign",
      "x".repeat(65),
      "ctrl\u0007",
      "../etc",
    ])
      expect({ username, ...(await make({ username, password })) }).toEqual({
        username,
        user: null,
        error: expect.any(String),
      });
    for (const secret of ["", "short", "        ", "tab\tinside"])
      expect({ secret, ...(await make({ username: "fine-name", password: secret })) }).toEqual({
        secret,
        user: null,
        error: expect.any(String),
      });
    expect((await make({ username: "fine-name", password, role: "owner" })).error).toContain(
      "Allowed roles are: default, admin, manager",
    );
    expect((await make({ username: "librarian", password })).error).toBe(
      "A user with that username already exists",
    );
    const users = (
      await admin.json<{ users: { id: number; username: string; role: string }[] }>(
        "GET",
        "/admin/users",
      )
    ).users;
    const self = users.find((user) => user.username === "librarian")!.id;
    expect(await admin.json("POST", `/admin/user/${self}`, { role: "default" })).toEqual({
      success: false,
      error: "No system admins will remain if you do this. Update failed.",
    });
    expect(await admin.json("DELETE", `/admin/user/${self}`)).toMatchObject({
      success: false,
      error: expect.any(String),
    });
    expect(await admin.json("POST", `/admin/user/${self}`, {})).toEqual({
      success: false,
      error: "No valid updates applied.",
    });
    expect(await admin.json("POST", "/admin/user/999999", { bio: "x" })).toEqual({
      success: false,
      error: "User not found",
    });
  });

  it("lets managers manage everyone except admins", async () => {
    await makeUser("manager-one", { role: "manager" });
    const adminId = await makeUser("second-admin", { role: "admin" });
    manager = await signedIn("manager-one");
    expect(
      (
        await manager.json<{ error: string }>("POST", "/admin/users/new", {
          username: "sneaky",
          password,
          role: "admin",
        })
      ).error,
    ).toBe("Invalid role selection for user.");
    for (const body of [{ password: "taken over 1" }, { suspended: 1 }, { role: "default" }])
      expect(await manager.json("POST", `/admin/user/${adminId}`, body)).toEqual({
        success: false,
        error: "Cannot perform that action on user.",
      });
    expect((await manager.json<Outcome>("DELETE", `/admin/user/${adminId}`)).success).toBe(false);
    expect((await manager.call("POST", "/system/event-logs", {})).status).toBe(401);
    expect(
      await manager.json(
        "GET",
        "/admin/system-preferences-for?labels=custom_app_name,agent_search_provider,support_email",
      ),
    ).toEqual({ settings: { custom_app_name: null, support_email: null } });
    expect(
      await manager.json("POST", "/admin/system-preferences", {
        custom_app_name: "Reading room",
        text_splitter_chunk_size: 7,
      }),
    ).toEqual({ success: true, error: null });
    expect(await api().json("GET", "/system/custom-app-name")).toEqual({
      customAppName: "Reading room",
    });
    expect(
      (
        await admin.json<{ settings: { text_splitter_chunk_size: unknown } }>(
          "GET",
          "/admin/system-preferences-for?labels=text_splitter_chunk_size",
        )
      ).settings.text_splitter_chunk_size,
    ).not.toBe("7");
  });

  it("applies a role change within seconds without ending sessions; suspension ends all of them", async () => {
    const id = await makeUser("promoted");
    const user = await signedIn("promoted");
    expect((await user.call("GET", "/admin/users")).status).toBe(401);
    await admin.json("POST", `/admin/user/${id}`, { role: "manager" });
    await eventually(async () => (await user.call("GET", "/admin/users")).status === 200);
    const { apiKey } = await user.json<{ apiKey: string }>(
      "POST",
      "/browser-extension/api-keys/new",
    );
    expect(apiKey).toMatch(/^brx-/);
    expect((await api(apiKey).call("GET", "/browser-extension/check")).json()).toMatchObject({
      connected: true,
      apiKeyId: expect.any(Number),
    });
    expect((await user.call("GET", "/browser-extension/api-keys")).text).not.toContain(
      apiKey.slice(4, 25),
    );
    await admin.json("POST", `/admin/user/${id}`, { suspended: 1 });
    await eventually(async () => (await user.call("GET", "/system/check-token")).status === 401);
    await eventually(
      async () => (await api(apiKey).call("GET", "/browser-extension/check")).status >= 401,
    );
    await admin.json("POST", `/admin/user/${id}`, { suspended: 0 });
    expect((await user.call("GET", "/system/check-token")).status).toBe(401);
    expect((await api(apiKey).call("GET", "/browser-extension/check")).json()).toEqual({
      error: "No valid API key found.",
    });
  });

  it("ends all other sessions after a user changes their password; absent fields stay unchanged", async () => {
    await makeUser("reader");
    const [here, there] = [await signedIn("reader"), await signedIn("reader")];
    expect(
      (await here.json<{ sessions: unknown[] }>("GET", "/system/sessions")).sessions,
    ).toHaveLength(2);
    expect(
      await here.json("POST", "/system/user", {
        bio: "Reads at night.",
        userLang: "en",
        theme: "light",
      }),
    ).toEqual({ success: true, error: null });
    expect(await here.json("GET", "/system/refresh-user")).toMatchObject({
      user: { username: "reader", bio: "Reads at night.", theme: "light" },
    });
    const nothing = await here.call("POST", "/system/user", {});
    expect([nothing.status, nothing.json()]).toEqual([
      400,
      { success: false, error: "No updates provided" },
    ]);
    expect(await here.json("POST", "/system/user", { password: "A new card 43!" })).toEqual({
      success: true,
      error: null,
    });
    expect((await here.call("GET", "/system/check-token")).status).toBe(200);
    await eventually(async () => (await there.call("GET", "/system/check-token")).status === 401);
    expect((await login("reader", password)).valid).toBe(false);
    expect((await login("reader", "A new card 43!")).valid).toBe(true);
    expect(
      (await here.json<{ user: { bio: string } }>("GET", "/system/refresh-user")).user.bio,
    ).toBe("Reads at night.");
  });

  it("recovers an account with two of four codes, once", async () => {
    await makeUser("forgetful");
    const { recoveryCodes, token } = await login("forgetful", password);
    const recover = (codes: string[]) =>
      api().call("POST", "/system/recover-account", {
        username: "forgetful",
        recoveryCodes: codes,
      });
    for (const codes of [
      [],
      [recoveryCodes![0]!],
      [recoveryCodes![0]!, recoveryCodes![0]!],
      [recoveryCodes![0]!, randomUUID()],
    ]) {
      const reply = await recover(codes);
      expect([reply.status, reply.json()]).toEqual([
        400,
        expect.objectContaining({ success: false, message: "Invalid recovery codes." }),
      ]);
    }
    const unknown = await api().call("POST", "/system/recover-account", {
      username: "no-such-user",
      recoveryCodes: recoveryCodes!.slice(0, 2),
    });
    expect([unknown.status, unknown.json()]).toEqual([
      400,
      expect.objectContaining({ success: false, message: "Invalid recovery codes." }),
    ]);
    // The way people type them from paper.
    const { resetToken } = (
      await recover([
        ` ${recoveryCodes![1]!.toUpperCase()} `,
        recoveryCodes![3]!.replaceAll("-", " "),
      ])
    ).json<{ resetToken: string }>();
    const reset = (newPassword: string, confirmPassword: string, given = resetToken) =>
      api().call("POST", "/system/reset-password", { token: given, newPassword, confirmPassword });
    expect((await reset("Another card 44!", "Different 44!")).json()).toMatchObject({
      success: false,
      message: "Passwords do not match",
    });
    expect((await reset("short", "short")).status).toBe(400);
    expect(
      (await reset("Another card 44!", "Another card 44!", randomUUID())).json(),
    ).toMatchObject({ success: false, message: "Invalid reset token" });
    expect((await reset("Another card 44!", "Another card 44!")).json()).toEqual({
      success: true,
      message: "Password reset successful",
    });
    expect((await reset("Once more 45!", "Once more 45!")).status).toBe(400);
    await eventually(
      async () => (await api(token).call("GET", "/system/check-token")).status === 401,
    );
    expect((await login("forgetful", "Another card 44!")).recoveryCodes).toHaveLength(4);
  });

  it("requires a one-time code where one is set up", async () => {
    await makeUser("careful");
    const first = await login("careful", password);
    const user = api(first.token);
    expect((await user.call("POST", "/system/second-factor", { password: "wrong" })).status).toBe(
      400,
    );
    const { secret, uri } = await user.json<{ secret: string; uri: string }>(
      "POST",
      "/system/second-factor",
      { password },
    );
    expect(uri).toMatch(/^otpauth:\/\/totp\//);
    expect((await login("careful", password)).valid).toBe(true); // not confirmed yet
    expect(
      (await user.call("POST", "/system/second-factor/confirm", { code: "000000" })).status,
    ).toBe(400);
    expect(
      await user.json("POST", "/system/second-factor/confirm", { code: oneTimeCode(secret) }),
    ).toMatchObject({ success: true });
    expect(await login("careful", password)).toEqual({
      valid: false,
      user: null,
      token: null,
      message: "[006] One-time code required.",
    });
    expect((await login("careful", "wrong", { code: oneTimeCode(secret) })).message).toBe(
      "[002] Invalid login credentials.",
    );
    expect((await login("careful", password, { code: "123456" })).message).toMatch(/^\[006\]/);
    const code = oneTimeCode(secret, Date.now() + 30_000); // the current one was used
    expect((await login("careful", `${password} ${code}`)).valid).toBe(true);
    expect((await login("careful", password, { code })).valid).toBe(false); // codes work once
    expect((await login("careful", password, { code: first.recoveryCodes![0] })).valid).toBe(true);
    expect((await login("careful", password, { code: first.recoveryCodes![0] })).valid).toBe(false);
    // Someone who lost password and device gets back in with the codes alone: two for the password,
    // a third for the device.
    const recovered = (
      await api().call("POST", "/system/recover-account", {
        username: "careful",
        recoveryCodes: first.recoveryCodes!.slice(1, 3),
      })
    ).json<{ resetToken: string }>();
    expect(
      (
        await api().call("POST", "/system/reset-password", {
          token: recovered.resetToken,
          newPassword: "Back again 46!",
          confirmPassword: "Back again 46!",
        })
      ).status,
    ).toBe(200);
    expect((await login("careful", "Back again 46!")).message).toBe(
      "[006] One-time code required.",
    );
    expect(
      (await login("careful", "Back again 46!", { code: first.recoveryCodes![1] })).valid,
    ).toBe(false);
    const back = await login("careful", "Back again 46!", { code: first.recoveryCodes![3] });
    expect([back.valid, back.recoveryCodes?.length]).toEqual([true, 4]);
  });

  it("invites people into workspaces, once per invite", async () => {
    const { id } = await admin.makeWorkspace("Invited to");
    await admin.makeWorkspace("Not invited to");
    const { invite } = await admin.json<{
      invite: { id: number; code: string; status: string; workspaceIds: string };
    }>("POST", "/admin/invite/new", { workspaceIds: [id] });
    expect(invite).toMatchObject({ status: "pending", workspaceIds: JSON.stringify([id]) });
    expect((await admin.call("GET", "/admin/invites")).text).not.toContain(invite.code);
    expect(await api().json("GET", `/invite/${invite.code}`)).toEqual({
      invite: { code: invite.code, status: "pending" },
      error: null,
    });
    expect(await api().json("GET", "/invite/nothing")).toEqual({
      invite: null,
      error: "Invite not found.",
    });
    expect(
      await api().json("POST", `/invite/${invite.code}`, { username: "librarian", password }),
    ).toEqual({ success: false, error: "A user with that username already exists" });
    const both = await Promise.all(
      ["guest-a", "guest-b"].map((username) =>
        api().json<Outcome>("POST", `/invite/${invite.code}`, { username, password }),
      ),
    );
    expect(both.map((reply) => reply.success).sort()).toEqual([false, true]);
    expect(Object.keys(both[0]!).sort()).toEqual(["error", "success"]);
    const guest = await signedIn(both[0]!.success ? "guest-a" : "guest-b");
    expect(
      (await guest.json<{ workspaces: { name: string }[] }>("GET", "/workspaces")).workspaces.map(
        (one) => one.name,
      ),
    ).toEqual(["Invited to"]);
    expect(await api().json("GET", `/invite/${invite.code}`)).toEqual({
      invite: null,
      error: "Invite is no longer valid.",
    });
    expect(
      (
        await admin.json<{ invites: { claimedBy: { username: string } }[] }>(
          "GET",
          "/admin/invites",
        )
      ).invites[0]!.claimedBy.username,
    ).toMatch(/^guest-[ab]$/);
    const other = await admin.json<{ invite: { id: number; code: string } }>(
      "POST",
      "/admin/invite/new",
      {},
    );
    expect(await admin.json("DELETE", `/admin/invite/${other.invite.id}`)).toEqual({
      success: true,
      error: null,
    });
    expect((await api().json<{ error: string }>("GET", `/invite/${other.invite.code}`)).error).toBe(
      "Invite is no longer valid.",
    );
  });

  it("enforces the daily message limit", async () => {
    const workspace = await admin.makeWorkspace("Limited");
    const id = await makeUser("limited", { dailyMessageLimit: 2 });
    await admin.json("POST", `/admin/workspaces/${workspace.id}/update-users`, { userIds: [id] });
    const user = await signedIn("limited");
    for (const question of ["One?", "Two?"])
      expect((await user.ask(workspace.slug, question)).frames.at(-1)).not.toMatchObject({
        type: "abort",
      });
    const { frames } = await user.ask(workspace.slug, "Three?");
    expect(frames).toEqual([
      expect.objectContaining({
        type: "abort",
        close: true,
        error: "You have met your maximum 24 hour chat quota of 2 chats. Try again later.",
      }),
    ]);
    await admin.json("POST", `/admin/user/${id}`, { dailyMessageLimit: null });
    await eventually(
      async () => (await user.ask(workspace.slug, "Four?")).frames.at(-1)?.type !== "abort",
    );
  });

  it("gives API keys full access to the developer API, and to nothing else", async () => {
    const { apiKey } = await admin.json<{
      apiKey: { id: number; secret: string; createdBy: unknown };
    }>("POST", "/admin/generate-api-key", { name: "scripts" });
    const key = api(apiKey.secret);
    expect(apiKey.secret).toMatch(/^\w{7}-\w{7}-\w{7}-\w{7}$/);
    expect((await admin.call("GET", "/admin/api-keys")).text).not.toContain(apiKey.secret);
    expect(await key.json("GET", "/v1/auth")).toEqual({ authenticated: true });
    expect(await key.json("GET", "/v1/admin/is-multi-user-mode")).toEqual({ isMultiUser: true });
    const { user } = await key.json<{ user: { id: number } }>("POST", "/v1/admin/users/new", {
      username: "by-script",
      password,
    });
    expect(
      (await key.call("POST", "/v1/admin/users/new", { username: "X", password })).status,
    ).toBe(400);
    expect((await key.json<{ users: object[] }>("GET", "/v1/users")).users).toContainEqual({
      id: user.id,
      username: "by-script",
      role: "default",
    });
    const workspace = await admin.makeWorkspace("Scripted");
    expect(
      await key.json("POST", `/v1/admin/workspaces/${workspace.slug}/manage-users`, {
        userIds: [user.id],
        reset: true,
      }),
    ).toMatchObject({
      success: true,
      users: [{ userId: user.id, username: "by-script", role: "default" }],
    });
    expect(
      (
        await key.call("POST", `/v1/admin/workspaces/${workspace.slug}/manage-users`, {
          userIds: [999_999],
        })
      ).status,
    ).toBe(404);
    const { token, loginPath } = await key.json<{ token: string; loginPath: string }>(
      "GET",
      `/v1/users/${user.id}/issue-auth-token`,
    );
    expect(loginPath).toBe(`/sso/simple?token=${token}`);
    expect(await api().json("GET", `/request-token/sso/simple?token=${token}`)).toMatchObject({
      valid: true,
      user: { username: "by-script" },
      token: expect.any(String),
      message: null,
    });
    const again = await api().call("GET", `/request-token/sso/simple?token=${token}`);
    expect([again.status, again.json()]).toEqual([
      401,
      {
        valid: false,
        token: null,
        message: expect.stringMatching(/^\[001\] An error occurred while validating the token: /),
      },
    ]);
    expect((await key.call("GET", "/v1/users/999999/issue-auth-token")).json()).toEqual({
      error: "User not found",
    });
    expect(await key.json("POST", "/v1/admin/workspace-chats", { offset: 0 })).toMatchObject({
      chats: expect.arrayContaining([
        expect.objectContaining({
          workspace: expect.objectContaining({ name: "Limited" }),
          user: { username: "limited" },
        }),
      ]),
      hasPages: expect.any(Boolean),
    });
    expect((await key.call("GET", "/workspaces")).status).toBe(401);
    await admin.call("DELETE", `/admin/delete-api-key/${apiKey.id}`);
    await eventually(async () => (await key.call("GET", "/v1/auth")).status === 403);
  });

  it("slows down guessing on every login route, without locking out known owners", async () => {
    await makeUser("guessed");
    const browser = await fetch(`${instance.url}/api/request-token`, {
      method: "POST",
      body: JSON.stringify({ username: "guessed", password }),
    });
    const device = browser.headers
      .getSetCookie()
      .map((cookie) => cookie.split(";")[0])
      .find((cookie) => cookie?.startsWith("carrel_device="));
    expect(device).toBeDefined();
    const session = api(((await browser.json()) as Login).token);
    const statuses: number[] = [];
    for (let n = 0; n < 60 && statuses.at(-1) !== 429; n += 1)
      statuses.push(
        (
          await api().call("POST", "/request-token", {
            username: "guessed",
            password: `guess ${n}`,
          })
        ).status,
      );
    expect(statuses.at(-1)).toBe(429);
    const refused = await api().call("POST", "/request-token", { username: "guessed", password });
    expect([refused.status, refused.json()]).toEqual([
      429,
      expect.objectContaining({ valid: false, token: null, message: expect.any(String) }),
    ]);
    // The owner's own browser can still sign in, and existing sessions stay valid.
    const owner = await api().call(
      "POST",
      "/request-token",
      { username: "guessed", password },
      { cookie: device! },
    );
    expect([owner.status, owner.json<Login>().valid]).toEqual([200, true]);
    expect((await session.call("GET", "/system/check-token")).status).toBe(200);
  });

  it("answers each of hundreds of simultaneous logins", async () => {
    const replies = await Promise.all(
      Array.from({ length: 300 }, (_, n) =>
        api().call("POST", "/request-token", {
          username: `nobody-${n}`,
          password: "wrong password",
        }),
      ),
    );
    const counts = new Map<number, number>();
    for (const reply of replies) counts.set(reply.status, (counts.get(reply.status) ?? 0) + 1);
    expect([...counts.keys()].filter((status) => status !== 200 && status !== 429)).toEqual([]);
    expect((await admin.call("GET", "/system/check-token")).status).toBe(200);
  });

  it("has logged who did what, from where, and no secret", async () => {
    const log = await eventually(async () => {
      const all = await events();
      return all.some((entry) => entry.event === "api_key_deleted") && all;
    });
    const text = JSON.stringify(log);
    expect(text).not.toContain(password);
    expect(log.find((entry) => entry.event === "api_key_deleted")).toMatchObject({
      user: { username: "librarian" },
      metadata: expect.stringContaining("127.0.0.1"),
    });
    const all = new Set<string>();
    for (let page = 0; page < 20; page += 1)
      for (const entry of (
        await admin.json<{ logs: { event: string }[] }>("POST", "/system/event-logs", {
          offset: page,
          limit: 100,
        })
      ).logs)
        all.add(entry.event);
    expect([...all]).toEqual(
      expect.arrayContaining([
        "login_event",
        "failed_login_invalid_username",
        "failed_login_invalid_password",
        "failed_login_account_suspended",
        "failed_login_invalid_temporary_auth_token",
        "multi_user_mode_enabled",
        "user_created",
        "user_updated",
        "user_suspended",
        "password_changed",
        "password_reset",
        "second_factor_enabled",
        "invite_created",
        "invite_accepted",
        "invite_deleted",
        "api_key_created",
        "workspace_members_changed",
      ]),
    );
  });

  it("accepts images as profile pictures, and rejects everything else", async () => {
    const user = admin;
    const send = (content: Uint8Array<ArrayBuffer> | string, type: string, field = "file") => {
      const form = new FormData();
      form.set(field, new Blob([content], { type }), "me.png");
      return user.call("POST", "/system/upload-pfp", form);
    };
    for (const [content, type] of [
      ['<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>', "image/svg+xml"],
      ["not a picture", "image/png"],
      ["", "image/png"],
      ["GIF89a", "image/gif"],
    ] as const) {
      const reply = await send(content, type);
      expect({ type, status: reply.status, text: reply.text }).toMatchObject({
        status: expect.any(Number),
      });
      expect(reply.status).toBeGreaterThanOrEqual(400);
      expect(reply.status).toBeLessThan(500);
    }
    const pixel = Uint8Array.from(
      Buffer.from(
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
        "base64",
      ),
    );
    expect((await send(pixel, "image/png")).status).toBe(200);
    const { user: self } = await user.json<{ user: { id: number; pfpFilename: string | null } }>(
      "GET",
      "/system/refresh-user",
    );
    expect(self.pfpFilename).toEqual(expect.any(String));
    const picture = await fetch(`${instance.url}/api/system/pfp/${self.id}`, {
      headers: { authorization: `Bearer ${user.token}` },
    });
    expect([
      picture.status,
      picture.headers.get("content-type"),
      picture.headers.get("x-content-type-options"),
    ]).toEqual([200, "image/webp", "nosniff"]);
    expect((await manager.call("GET", `/system/pfp/${self.id}`)).status).toBe(204);
    expect((await user.call("DELETE", "/system/remove-pfp")).status).toBe(200);
    expect((await user.call("GET", `/system/pfp/${self.id}`)).status).toBe(204);
  });
});
