import { randomUUID } from "node:crypto";
import {
  acceptInvite,
  createInvite,
  disableInvite,
  getInvite,
  listInvites,
  type InviteWire,
  type Scope,
} from "@carrel/contracts";
import { poll } from "@carrel/testing";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { asKey, asNobody, asUser, startAuth, type RunningAuth } from "./running-auth.ts";

const code = /^[0-9A-HJKMNP-TV-Z]{7}(-[0-9A-HJKMNP-TV-Z]{7}){3}$/;
const unusable = { success: false, error: "Invite not found or is invalid." };
const password = "correct horse";
let auth: RunningAuth;
let manager: Scope;
let managerId: number;
const started: RunningAuth[] = [];
const start = async (...options: Parameters<typeof startAuth>): Promise<RunningAuth> => {
  const running = await startAuth(...options);
  started.push(running);
  return running;
};

beforeAll(async () => {
  auth = await start();
  managerId = await auth.addUser("the-manager", "manager");
  manager = asUser(managerId, "manager");
});
afterAll(() => Promise.all(started.map((each) => each.stop())));

const invite = async (workspaceIds: number[] = [], scope: Scope = manager): Promise<InviteWire> =>
  (await auth.request(createInvite, { workspaceIds }, { scope })).invite!;
const accept = (
  input: { code: string; username?: string; password?: string; address?: string },
  options: { idempotencyKey?: string; from?: RunningAuth } = {},
) =>
  (options.from ?? auth).request(
    acceptInvite,
    { password, ...input },
    { scope: asNobody, idempotencyKey: options.idempotencyKey ?? randomUUID() },
  );

/** A code that no longer opens anything isn't kept. */
async function expectForgotten({ id, code: full }: InviteWire): Promise<void> {
  const { invites } = await auth.request(listInvites, {}, { scope: asKey(5) });
  expect(invites.find((each) => each.id === id)?.code).toBe(
    `*******-*******-*******-***${full.slice(-4)} (no longer valid)`,
  );
  expect(await auth.sql.query("SELECT sealed_code FROM auth.invite WHERE id = $1", [id])).toEqual([
    { sealed_code: null },
  ]);
}

describe("invites", () => {
  it("are listed in full for admins while pending, and stored sealed beside their hash", async () => {
    const made = await invite([3, 4, 3]);
    expect(made).toEqual({
      id: expect.any(Number),
      code: expect.stringMatching(code),
      status: "pending",
      claimedBy: null,
      workspaceIds: "[3,4]",
      createdBy: { id: managerId, username: "the-manager" },
      createdAt: expect.any(String),
      lastUpdatedAt: expect.any(String),
    });
    const listed = async (scope: Scope): Promise<InviteWire[]> =>
      (await auth.request(listInvites, {}, { scope })).invites;
    const masked = (reason: string) => ({
      ...made,
      code: `*******-*******-*******-***${made.code.slice(-4)} (${reason})`,
    });
    // wire-contract 7: `{invites:[{id,code,status,…`, which "Copy Invite Link" copies.
    expect(await listed(asUser(999, "admin"))).toEqual([made]);
    expect(await listed(asKey(5))).toEqual([made]);
    const invites = await listed(manager);
    expect(invites).toEqual([masked("only admins can copy it")]);
    expect(JSON.stringify(await auth.sql.query("SELECT * FROM auth.invite"))).not.toContain(
      made.code,
    );
    await expect(
      auth.request(getInvite, { code: invites[0]!.code }, { scope: asNobody }),
    ).rejects.toMatchObject({ code: "invite.not-found" });
    expect(await auth.entry("invite_created", { inviteId: made.id })).toMatchObject({
      userId: managerId,
    });
    const seal = (sealed: string | null) =>
      auth.sql.query("UPDATE auth.invite SET sealed_code = $2 WHERE id = $1", [made.id, sealed]);
    // Made by an earlier version, and sealed under another instance secret.
    for (const sealed of [null, "v1:00000000:AA:AA:AA"]) {
      await seal(sealed);
      expect(await listed(asKey(5))).toEqual([masked("shown only when created")]);
    }
    expect((await invite([], asKey(5))).createdBy).toBe(0);
    expect(JSON.stringify(auth.logged())).not.toContain(made.code);
  });

  it("create an account, once", async () => {
    const made = await invite([8, 9]);
    expect(await auth.request(getInvite, { code: made.code }, { scope: asNobody })).toEqual({
      invite: { code: made.code, status: "pending" },
      error: null,
    });
    expect(await accept({ code: made.code, username: "Not A Name" })).toMatchObject({
      success: false,
      error: expect.stringMatching(/lowercase/),
    });
    expect(await accept({ code: made.code, username: "ok", password: "short" })).toEqual({
      success: false,
      error: "Password must be at least 8 characters.",
    });
    expect(await accept({ code: made.code, username: "the-manager" })).toEqual({
      success: false,
      error: "A user with that username already exists",
    });
    const idempotencyKey = randomUUID();
    const taken = await accept(
      { code: made.code, username: "newcomer", address: "198.51.100.4" },
      { idempotencyKey },
    );
    expect(taken).toEqual({
      success: true,
      error: null,
      userId: expect.any(Number),
      workspaceIds: [8, 9],
    });
    // Redelivery of the same request returns the first result; another request does not, even with
    // its key.
    expect(await accept({ code: made.code, username: "newcomer" }, { idempotencyKey })).toEqual(
      taken,
    );
    expect(await accept({ code: made.code, username: "somebody" }, { idempotencyKey })).toEqual(
      unusable,
    );
    expect(
      await auth.sql.query(
        'SELECT role, suspended, seen_recovery_codes FROM auth."user" WHERE username = $1',
        ["newcomer"],
      ),
    ).toEqual([{ role: "default", suspended: false, seen_recovery_codes: false }]);
    expect(await auth.request(getInvite, { code: made.code }, { scope: asNobody })).toEqual({
      invite: null,
      error: "Invite is no longer valid.",
    });
    const { invites } = await auth.request(listInvites, {}, { scope: manager });
    expect(invites.find(({ id }) => id === made.id)).toMatchObject({
      status: "claimed",
      claimedBy: { id: taken.userId, username: "newcomer" },
    });
    await poll(() => auth.heard("invite.accepted")).toContainEqual({
      userId: taken.userId,
      workspaceIds: [8, 9],
    });
    expect(await auth.entry("invite_accepted", { inviteId: made.id })).toMatchObject({
      userId: taken.userId,
      metadata: { address: "198.51.100.4" },
    });
    expect(JSON.stringify(auth.logged())).not.toContain(password);
    // An accepted invite stays accepted, even after its user is deleted.
    expect(await auth.request(disableInvite, { id: made.id }, { scope: manager })).toMatchObject({
      success: false,
    });
    await auth.sql.query('DELETE FROM auth."user" WHERE id = $1', [taken.userId]);
    expect(
      (await auth.request(listInvites, {}, { scope: manager })).invites.find(
        ({ id }) => id === made.id,
      ),
    ).toMatchObject({ status: "claimed", claimedBy: null });
    await expectForgotten(made);
  });

  it("have one winner among concurrent claims", async () => {
    const made = await invite();
    const outcomes = await Promise.all(
      Array.from({ length: 6 }, (_, n) => accept({ code: made.code, username: `racer-${n}` })),
    );
    expect(outcomes.filter(({ success }) => success)).toHaveLength(1);
    expect(outcomes.filter(({ success }) => !success)).toEqual(
      Array.from({ length: 5 }, () => unusable),
    );
    expect(
      await auth.sql.query(
        `SELECT count(*)::int AS count FROM auth."user" WHERE username LIKE 'racer-%'`,
      ),
    ).toEqual([{ count: 1 }]);
  });

  it("give a name to one person and leave the other invite open", async () => {
    const made = await Promise.all([invite(), invite()]);
    const outcomes = await Promise.all(
      made.map((each) => accept({ code: each.code, username: "same-name" })),
    );
    expect(outcomes.map(({ error }) => error).sort()).toEqual([
      "A user with that username already exists",
      null,
    ]);
    const { invites } = await auth.request(listInvites, {}, { scope: manager });
    expect(
      invites
        .filter(({ id }) => made.some((each) => each.id === id))
        .map(({ status }) => status)
        .sort(),
    ).toEqual(["claimed", "pending"]);
  });

  it("can be withdrawn, and unknown ones are reported", async () => {
    const made = await invite();
    expect(await auth.request(disableInvite, { id: made.id }, { scope: manager })).toEqual({
      success: true,
      error: null,
    });
    expect(await auth.request(disableInvite, { id: made.id }, { scope: manager })).toEqual({
      success: true,
      error: null,
    });
    await expect(
      auth.request(disableInvite, { id: 2_000_000 }, { scope: manager }),
    ).rejects.toMatchObject({ kind: "NOT_FOUND", message: "Invite not found." });
    expect(await auth.request(getInvite, { code: made.code }, { scope: asNobody })).toEqual({
      invite: null,
      error: "Invite is no longer valid.",
    });
    expect(await accept({ code: made.code, username: "too-late" })).toEqual(unusable);
    await expectForgotten(made);
    await auth.entry("invite_deleted", { inviteId: made.id });
    for (const scope of [asNobody, asUser(3, "default")]) {
      await expect(auth.request(listInvites, {}, { scope })).rejects.toMatchObject({
        kind: "FORBIDDEN",
      });
      await expect(auth.request(createInvite, {}, { scope })).rejects.toMatchObject({
        kind: "FORBIDDEN",
      });
      await expect(auth.request(disableInvite, { id: made.id }, { scope })).rejects.toMatchObject({
        kind: "FORBIDDEN",
      });
    }
  });

  it("limit guesses per address without slowing other addresses", async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 120 }, () =>
        accept({ code: randomUUID(), username: "guesser", address: "198.51.100.77" }).catch(
          (error: unknown) => error as { kind: string },
        ),
      ),
    );
    expect(outcomes.filter((each) => "success" in each)).toHaveLength(100);
    const last = outcomes.find((each) => "kind" in each);
    expect(last).toMatchObject({
      kind: "TOO_MANY_ATTEMPTS",
      retryAfter: expect.any(Number),
    });
    expect(
      await accept({
        code: (await invite()).code,
        username: "elsewhere",
        address: "198.51.100.78",
      }),
    ).toMatchObject({ success: true });
  });

  it("are disabled where password login is", async () => {
    const other = await start({
      environment: { SIMPLE_SSO_ENABLED: "1", SIMPLE_SSO_NO_LOGIN: "1" },
    });
    const disabled = {
      kind: "DISABLED",
      message: "Login via credentials has been disabled by the administrator.",
    };
    await expect(other.request(createInvite, {}, { scope: asKey(1) })).rejects.toMatchObject(
      disabled,
    );
    await expect(
      accept({ code: "any", username: "nobody" }, { from: other }),
    ).rejects.toMatchObject(disabled);
  });

  it("create no account on an instance without accounts", async () => {
    const single = await start({ mode: "single" });
    const made = (await single.request(createInvite, {}, { scope: asKey(1) })).invite!;
    expect(await accept({ code: made.code, username: "nobody" }, { from: single })).toEqual(
      unusable,
    );
    expect(await single.sql.query('SELECT 1 FROM auth."user"')).toEqual([]);
  });
});
