import { randomUUID } from "node:crypto";
import {
  clearEvents,
  createWorkspace,
  deleteWorkspace,
  eventLogged,
  getEventLogState,
  listEvents,
  publicPrincipal,
  type Principal,
} from "@carrel/contracts";
import { waitFor } from "@carrel/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { testChain } from "./event-chain.ts";
import { testEventFilters } from "./event-filters.ts";
import { asOwner, emptyLog } from "./log-owner.ts";
import {
  apiKey,
  instance,
  person,
  scopeOf,
  service,
  startWorkspaceInstance,
  type WorkspaceInstance,
} from "./workspace-instance.ts";

const admin = scopeOf(person(1, "admin"));
let carrel: WorkspaceInstance;
let request: WorkspaceInstance["request"];
const at = (minute: number): string => new Date(Date.UTC(2026, 0, 1, 12, minute)).toISOString();
const count = async (): Promise<number> => (await request(listEvents, {}, admin)).totalLogs;

beforeAll(async () => {
  carrel = await startWorkspaceInstance();
  request = carrel.request;
  carrel.accounts.add(1, "ada", "admin");
  // The first anchor is that of the empty log, so it still matches whenever the log starts over.
  await waitFor(async () => (await request(getEventLogState, {}, admin)).lastAnchor !== null);
});
afterAll(() => carrel.stop());
beforeEach(() => emptyLog(carrel.sql));

describe("the event log", () => {
  it("stores each event once and lists the newest first, in pages", async () => {
    const id = randomUUID();
    const events = [
      {
        id: randomUUID(),
        event: "login_event",
        userId: 1,
        metadata: { address: "192.0.2.1" },
        occurredAt: at(1),
      },
      {
        id,
        event: "failed_login_invalid_username",
        userId: null,
        metadata: { username: "mallory", address: "192.0.2.9" },
        occurredAt: at(3),
      },
      { id: randomUUID(), event: "sign_out", userId: 77, metadata: {}, occurredAt: at(2) },
    ];
    for (const event of [...events, events[1]!]) await carrel.tell(eventLogged, event);
    await waitFor(async () => (await count()) === 3);
    await carrel.tell(eventLogged, events[1]!);
    expect(await request(listEvents, { offset: 0, limit: 2 }, admin)).toEqual({
      nextCursor: expect.any(String),
      logs: [
        {
          id: expect.any(Number),
          event: "failed_login_invalid_username",
          metadata: '{"address":"192.0.2.9","username":"mallory"}',
          userId: null,
          occurredAt: at(3),
          user: { username: "unknown user" },
        },
        // A deleted user.
        {
          id: expect.any(Number),
          event: "sign_out",
          metadata: null,
          userId: 77,
          occurredAt: at(2),
          user: { username: "unknown user" },
        },
      ],
      hasPages: true,
      totalLogs: 3,
    });
    expect(await request(listEvents, { offset: 1, limit: 2 }, admin)).toEqual({
      nextCursor: null,
      logs: [
        {
          id: expect.any(Number),
          event: "login_event",
          metadata: '{"address":"192.0.2.1"}',
          userId: 1,
          occurredAt: at(1),
          user: { username: "ada" },
        },
      ],
      hasPages: false,
      totalLogs: 3,
    });
    expect(await request(listEvents, { offset: 1_000_000, limit: 100 }, admin)).toEqual({
      nextCursor: null,
      logs: [],
      hasPages: false,
      totalLogs: 3,
    });
    expect(
      (await request(listEvents, { offset: "x", limit: 0 } as never, admin)).logs,
    ).toHaveLength(3);
  });

  it("accepts any text typed at a login", async () => {
    await carrel.tell(eventLogged, {
      id: randomUUID(),
      event: "failed_login_invalid_username",
      userId: null,
      metadata: { username: "a\u0000b\ud800", deep: [{ "k\u0000": "\u0000" }] },
      occurredAt: at(1),
    });
    // A second copy of an event of the previous test may still arrive.
    const mine = await waitFor(async () =>
      (await request(listEvents, {}, admin)).logs.find((log) => log.metadata?.includes("deep")),
    );
    expect(JSON.parse(mine.metadata!)).toEqual({ username: "ab\ufffd", deep: [{ k: "" }] });
  });

  it("visibly truncates entries too long for a page", async () => {
    for (let index = 0; index < 100; index += 1)
      await carrel.tell(eventLogged, {
        id: randomUUID(),
        event: "invite_created",
        userId: 1,
        metadata: {
          workspaceIds: Array.from({ length: 3_000 }, (_, id) => id),
          text: "x".repeat(5_000),
        },
        occurredAt: at(1),
      });
    await waitFor(async () => (await count()) === 100);
    const { logs } = await request(listEvents, { limit: 100 }, admin);
    const { workspaceIds, text } = JSON.parse(logs[99]!.metadata!) as {
      workspaceIds: unknown[];
      text: string;
    };
    expect([workspaceIds.length, workspaceIds.at(-1), text.length, text.at(-1)]).toEqual([
      51,
      "… 2950 more",
      1_001,
      "…",
    ]);
  });

  it("contains the service's own actions with actor and address", async () => {
    const made = (await request(createWorkspace, { name: "Logged" }, instance)).workspace!;
    await request(
      deleteWorkspace,
      { slug: made.slug },
      scopeOf(apiKey, { id: made.id, slug: made.slug }),
    );
    const { logs } = await request(listEvents, {}, admin);
    expect(
      logs.map(({ event, userId, metadata }) => [event, userId, JSON.parse(metadata!)]),
    ).toEqual([
      [
        "workspace_deleted",
        null,
        { workspaceId: made.id, workspaceName: "Logged", apiKeyId: 5, address: "192.0.2.7" },
      ],
      [
        "workspace_created",
        null,
        { workspaceId: made.id, workspaceName: "Logged", by: "instance", address: "192.0.2.7" },
      ],
    ]);
  });

  it("can be cleared by an admin, which becomes its first entry", async () => {
    await request(createWorkspace, { name: "Forgotten" }, admin);
    expect(await request(clearEvents, {}, admin)).toEqual({ success: true });
    const { logs, totalLogs } = await request(listEvents, {}, admin);
    expect(totalLogs).toBe(1);
    expect(logs[0]).toMatchObject({
      event: "event_logs_cleared",
      userId: 1,
      user: { username: "ada" },
    });
    expect(JSON.parse(logs[0]!.metadata!)).toEqual({ removed: 1, address: "192.0.2.7" });
  });

  it.each<[string, Principal]>([
    ["a manager", person(2, "manager")],
    ["role default", person(3)],
    ["nobody", publicPrincipal],
  ])("is off-limits to %s", async (_name, principal) => {
    await expect(request(listEvents, {}, scopeOf(principal))).rejects.toMatchObject({
      kind: "FORBIDDEN",
    });
    await expect(request(clearEvents, {}, scopeOf(principal))).rejects.toMatchObject({
      kind: "FORBIDDEN",
    });
  });

  it("shows pages of a long log quickly", async () => {
    await asOwner(carrel.sql, (sql) =>
      sql.query(
        `INSERT INTO workspace.event_log (event_id, event, occurred_at)
        SELECT gen_random_uuid(), 'login_event', now() - n * interval '1 second'
        FROM generate_series(1, 100000) AS n`,
      ),
    );
    await carrel.sql.query("ANALYZE workspace.event_log");
    const started = performance.now();
    const { logs, totalLogs } = await request(listEvents, { offset: 3, limit: 100 }, service);
    expect({ shown: logs.length, totalLogs }).toEqual({ shown: 100, totalLogs: 100_000 });
    expect(performance.now() - started).toBeLessThan(30_000);
  });
});

testEventFilters(() => carrel);
testChain(() => carrel);
