import { getOwnUsage, getUsage, listUsage } from "@carrel/contracts";
import { key, startChat, user } from "../../test/chat-suite.ts";
import { UsageSummer } from "./usage-summer.ts";

const { chat, sql, database, count } = await startChat("It runs at 48 °C.");

const add = (o: {
  at: string;
  workspace: number;
  user?: number;
  key?: number;
  model?: string;
  cost?: number | null;
  firstToken?: number;
  state?: string;
}): Promise<unknown> =>
  sql(
    `INSERT INTO chat.model_usage (
      used_at, purpose, state, workspace_id, user_id, key_id, provider, model, input_tokens,
      cached_tokens, output_tokens, reasoning_tokens, is_estimated, first_token_ms, duration_ms, cost
    )
    VALUES ($1, 'answer', $2, $3, $4, $5, 'openai', $6, 100, 40, 10, 2, false, $7, 900, $8)`,
    [
      o.at,
      o.state ?? "done",
      o.workspace,
      o.user ?? null,
      o.key ?? null,
      o.model ?? "gpt-4.1",
      o.firstToken ?? 300,
      o.cost === undefined ? 200 : o.cost,
    ],
  );

describe("usage reports", () => {
  const scope = chat.addWorkspace({ name: "Heat" });
  const other = chat.addWorkspace({ name: "Water" });
  const admin = chat.as(scope, user(1, { role: "admin" }));
  const period = { from: "2026-10-01", to: "2026-10-31" };
  beforeAll(async () => {
    const [heat, water] = [scope.workspace.id, other.workspace.id];
    await add({ at: "2026-10-01T23:30:00Z", workspace: heat, user: 7, firstToken: 100 });
    await add({ at: "2026-10-02T10:00:00Z", workspace: heat, user: 7, firstToken: 500 });
    await add({ at: "2026-10-02T11:00:00Z", workspace: water, user: 8, state: "failed" });
    await add({ at: "2026-10-03T10:00:00Z", workspace: water, key: 4, model: "new", cost: null });
    await add({ at: "2026-11-01T00:00:00Z", workspace: water, user: 7 });
  });

  it("add up a period, with unknown costs apart", async () => {
    const { totals, groups } = await chat.request(getUsage, { ...period }, admin);
    expect(totals).toMatchObject({
      answers: 4,
      failed: 1,
      inputTokens: 400,
      cachedTokens: 160,
      outputTokens: 40,
      reasoningTokens: 8,
      cost: 0.0006,
      unpriced: 1,
    });
    expect(totals.medianFirstTokenMs! / 300).toBeCloseTo(1, 1);
    expect(groups).toMatchObject([
      { key: "2026-10-01", answers: 1, cost: 0.0002 },
      { key: "2026-10-02", answers: 2, failed: 1 },
      { key: "2026-10-03", answers: 1, cost: null, unpriced: 1 },
    ]);
  });

  it("begin days at midnight of the reader's time zone", async () => {
    const { groups } = await chat.request(
      getUsage,
      { from: "2026-10-02", to: "2026-10-02", timeZone: "Europe/Berlin" },
      admin,
    );
    expect(groups).toMatchObject([{ key: "2026-10-02", answers: 3 }]);
    await expect(
      chat.request(getUsage, { ...period, timeZone: "Mars/Olympus" }, admin),
    ).rejects.toThrow();
  });

  it("group and filter, with names", async () => {
    const by = async (groupBy: "workspace" | "user" | "model" | "key", more = {}) =>
      (await chat.request(getUsage, { ...period, ...more, groupBy }, admin)).groups;
    expect(await by("workspace")).toMatchObject([
      { key: String(scope.workspace.id), name: "Heat", answers: 2 },
      { key: String(other.workspace.id), name: "Water", answers: 2 },
    ]);
    expect((await by("user")).map((group) => group.key)).toEqual(["7", "8", null]);
    expect((await by("key")).map((group) => group.key)).toEqual([null, "4"]);
    expect(await by("model", { workspaceId: other.workspace.id, keyId: 4 })).toMatchObject([
      { key: "new", answers: 1, cost: null },
    ]);
  });

  it("count each call once while replicas sum them, late ones and those between included", async () => {
    const report = (more = {}) =>
      chat.request(getUsage, { ...period, ...more, groupBy: "model" }, admin);
    const before = await report();
    const [summer, other] = [new UsageSummer(database), new UsageSummer(database)];
    const late = Array.from({ length: 30 }, (_, n) => n);
    await Promise.all([
      summer.due(),
      ...late.map((n) =>
        add({ at: "2026-10-02T10:30:00Z", workspace: 900 + (n % 3), user: 900, model: "late" }),
      ),
      other.due(),
    ]);
    const expected = { key: "late", answers: 30, inputTokens: 3_000, cost: 0.006 };
    expect((await report()).groups).toContainEqual(expect.objectContaining(expected));
    await Promise.all([summer.due(), other.due()]);
    expect(await count("usage_pending")).toBe(0);
    expect(await count("usage_day WHERE model = 'late'")).toBe(3);
    expect((await report()).groups).toContainEqual(expect.objectContaining(expected));
    // A call in an hour that is already summed is added to that hour.
    await add({ at: "2026-10-02T10:45:00Z", workspace: 900, user: 900, model: "late", cost: null });
    await summer.due();
    expect(await report({ userId: 900 })).toMatchObject({
      totals: { answers: 31, cost: 0.006, unpriced: 1 },
    });
    expect((await report()).totals.medianFirstTokenMs! / 300).toBeCloseTo(1, 1);
    const of900 = { timeZone: "Europe/Berlin", userId: 900 };
    expect((await report(of900)).groups).toMatchObject([{ key: "late", answers: 31 }]);
    const byDay = (more: object) =>
      chat.request(getUsage, { ...period, ...of900, ...more, groupBy: "day" }, admin);
    for (const more of [{}, { timeZone: "UTC" }, { workspaceId: 900 }])
      expect(await byDay(more)).toMatchObject({
        groups: [{ key: "2026-10-02", answers: "workspaceId" in more ? 11 : 31, unpriced: 1 }],
      });
    for (const table of ["usage_day", "model_usage"])
      await sql(`DELETE FROM ${table} WHERE user_id = 900`);
    expect((await report()).totals).toEqual(before.totals);
  });

  it("are exact where days begin between the hours of UTC", async () => {
    // India's begins at 18:30 UTC.
    for (const at of ["2026-09-10T18:29:59Z", "2026-09-10T18:30:00Z"])
      await add({ at, workspace: 910, user: 910 });
    await new UsageSummer(database).due();
    const { groups } = await chat.request(
      getUsage,
      { from: "2026-09-10", to: "2026-09-11", timeZone: "Asia/Kolkata" },
      admin,
    );
    expect(groups).toMatchObject([
      { key: "2026-09-10", answers: 1 },
      { key: "2026-09-11", answers: 1 },
    ]);
  });

  it("are empty without any call", async () => {
    const { totals, groups } = await chat.request(
      getUsage,
      { from: "2020-01-01", to: "2020-01-31" },
      admin,
    );
    expect(totals).toMatchObject({ answers: 0, cost: 0, unpriced: 0, medianFirstTokenMs: null });
    expect(groups).toEqual([]);
  });

  it("show members their own use only, and API keys to admins only", async () => {
    const own = await chat.request(getOwnUsage, { ...period }, chat.as(scope, user(7)));
    expect(own.totals.answers).toBe(2);
    expect(
      (await chat.request(getOwnUsage, { ...period }, chat.as(scope, key))).totals.answers,
    ).toBe(0);
    const manager = chat.as(scope, user(2, { role: "manager" }));
    expect((await chat.request(getUsage, { ...period }, manager)).totals.answers).toBe(4);
    for (const refused of [{ groupBy: "key" } as const, { keyId: 4 }])
      await expect(
        chat.request(getUsage, { ...period, ...refused }, manager),
      ).rejects.toMatchObject({ kind: "FORBIDDEN" });
  });

  it("are exported call by call, in pages", async () => {
    const { rows, next } = await chat.request(listUsage, { ...period, after: null }, admin);
    expect(rows.map(({ usedAt }) => usedAt)).toEqual([
      "2026-10-01T23:30:00.000Z",
      "2026-10-02T10:00:00.000Z",
      "2026-10-02T11:00:00.000Z",
      "2026-10-03T10:00:00.000Z",
    ]);
    expect(next).toBeNull();
    const after = { usedAt: "2026-10-02 10:00:00+00", id: "1000000" };
    const rest = await chat.request(listUsage, { ...period, after }, admin);
    expect(rest.rows.map(({ cost }) => cost)).toEqual([0.0002, null]);
  });
});
