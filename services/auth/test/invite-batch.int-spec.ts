import { randomUUID } from "node:crypto";
import {
  acceptInvite,
  createInvites,
  disableInvite,
  getInvite,
  listInviteLimits,
  listInvites,
  type Args,
  type Out,
  type Scope,
} from "@carrel/contracts";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { asNobody, asUser, startAuth, type RunningAuth } from "./running-auth.ts";

const password = "correct horse";
const unusable = { success: false, error: "Invite not found or is invalid." };
let auth: RunningAuth;
let managerId: number;
let manager: Scope;

beforeAll(async () => {
  auth = await startAuth();
  managerId = await auth.addUser("the-manager", "manager");
  manager = asUser(managerId, "manager");
});
afterAll(() => auth.stop());

const create = async (
  input: Args<typeof createInvites>,
): Promise<Out<typeof createInvites>["invites"]> =>
  (await auth.request(createInvites, input, { scope: manager, idempotencyKey: randomUUID() }))
    .invites;
const accept = (code: string, username: string) =>
  auth.request(
    acceptInvite,
    { code, username, password },
    { scope: asNobody, idempotencyKey: randomUUID() },
  );
const roleOf = async (username: string): Promise<string> =>
  (
    await auth.sql.query<{ role: string }[]>(`SELECT role FROM auth."user" WHERE username = $1`, [
      username,
    ])
  )[0]!.role;

describe("invites for several people", () => {
  it("are one link for each, with its role and the workspaces", async () => {
    const made = await create({
      invites: [{ label: " anna@example.org " }, { label: "Ben", role: "manager" }, {}],
      workspaceIds: [3, 4, 3],
    });
    expect(
      made.map(({ label, role, maxUses, expiresAt }) => [label, role, maxUses, expiresAt]),
    ).toEqual([
      ["anna@example.org", "default", 1, null],
      ["Ben", "manager", 1, null],
      [null, "default", 1, null],
    ]);
    expect(new Set(made.map(({ code }) => code)).size).toBe(3);
    expect(await accept(made[0]!.code, "anna")).toMatchObject({
      success: true,
      workspaceIds: [3, 4],
    });
    expect(await accept(made[1]!.code, "ben")).toMatchObject({ success: true });
    expect([await roleOf("anna"), await roleOf("ben")]).toEqual(["default", "manager"]);
    expect(await accept(made[0]!.code, "anna-again")).toEqual(unusable);
    const { limits } = await auth.request(listInviteLimits, {}, { scope: manager });
    expect(limits.map(({ label, uses }) => [label, uses])).toEqual([
      ["anna@example.org", 1],
      ["Ben", 1],
      [null, 0],
    ]);
    expect(JSON.stringify(await auth.sql.query("SELECT * FROM auth.invite"))).not.toContain(
      made[2]!.code,
    );
  });

  it("can be one link for a team, for as many as it says, even at once", async () => {
    const [team] = await create({ invites: [{ label: "Workshop", maxUses: 3 }] });
    expect(await accept(team!.code, "first")).toMatchObject({ success: true });
    expect(await auth.request(getInvite, { code: team!.code }, { scope: asNobody })).toMatchObject({
      invite: { status: "pending" },
    });
    const outcomes = await Promise.all(
      ["second", "third", "fourth", "fifth"].map((name) => accept(team!.code, name)),
    );
    expect(outcomes.filter(({ success }) => success)).toHaveLength(2);
    expect(await auth.request(getInvite, { code: team!.code }, { scope: asNobody })).toEqual({
      invite: null,
      error: "Invite is no longer valid.",
    });
    const { invites } = await auth.request(listInvites, {}, { scope: manager });
    expect(invites.find(({ id }) => id === team!.id)).toMatchObject({ status: "claimed" });
  });

  it("stop when they expire, are disabled, or their maker may no longer give the role", async () => {
    const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
    const [late] = await create({ invites: [{ maxUses: 5 }], expiresAt });
    expect(late!.expiresAt).toBe(expiresAt);
    await auth.sql.query(`UPDATE auth.invite SET expires_at = now() WHERE id = $1`, [late!.id]);
    expect(await accept(late!.code, "late")).toEqual(unusable);

    const [revoked] = await create({ invites: [{ maxUses: 5 }] });
    await accept(revoked!.code, "in-time");
    await auth.request(disableInvite, { id: revoked!.id }, { scope: manager });
    expect(await accept(revoked!.code, "too-late")).toEqual(unusable);

    const [raised] = await create({ invites: [{ role: "manager" }] });
    await auth.sql.query(`UPDATE auth."user" SET role = 'default' WHERE id = $1`, [managerId]);
    expect(await accept(raised!.code, "climber")).toEqual(unusable);
    await auth.sql.query(`UPDATE auth."user" SET role = 'manager' WHERE id = $1`, [managerId]);
    expect(await accept(raised!.code, "climber")).toMatchObject({ success: true });
  });

  it("never make admins, and refuse what makes no sense", async () => {
    for (const input of [
      { invites: [{ role: "admin" }] },
      { invites: [] },
      { invites: [{ maxUses: 0 }] },
      { invites: Array.from({ length: 201 }, () => ({})) },
      { invites: [{}], expiresAt: "2020-01-01T00:00:00.000Z" },
    ] as unknown as Args<typeof createInvites>[])
      await expect(create(input)).rejects.toMatchObject({ kind: "BAD_INPUT" });
    await expect(
      auth.request(createInvites, { invites: [{}] }, { scope: asUser(managerId, "default") }),
    ).rejects.toMatchObject({ kind: "FORBIDDEN" });
  });
});
