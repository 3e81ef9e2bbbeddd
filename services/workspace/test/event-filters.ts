import { randomUUID } from "node:crypto";
import { eventLogged, getEventLogState, listEvents, listExportedEvents } from "@carrel/contracts";
import { poll } from "@carrel/testing";
import { beforeEach, describe, expect, it } from "@jest/globals";
import { person, scopeOf, type WorkspaceInstance } from "./workspace-instance.ts";

const admin = scopeOf(person(1, "admin"));

export function testEventFilters(instance: () => WorkspaceInstance): void {
  describe("filters of the event log", () => {
    const list = async (filter: object): Promise<string[]> =>
      (await instance().request(listEvents, filter, admin)).logs.map(({ event }) => event);

    beforeEach(async () => {
      const events: [string, number | null, string, Record<string, string>][] = [
        ["login_event", 1, "2026-01-01T23:59:59.999Z", { address: "192.0.2.1" }],
        ["login_event", null, "2026-01-02T00:00:00.000Z", { address: "192.0.2.2" }],
        ["sign_out", 7, "2026-01-02T23:59:59.999Z", {}],
        ["user_created", 1, "2026-01-03T00:00:00.000Z", { username: "Mallory_50%" }],
      ];
      for (const [event, userId, occurredAt, metadata] of events)
        await instance().tell(eventLogged, {
          id: randomUUID(),
          event,
          userId,
          metadata,
          occurredAt,
        });
      await poll(async () => (await list({})).length).toBe(4);
    });

    it("narrow the list to a kind of event, a user, days and text", async () => {
      expect(await list({ event: "login_event" })).toHaveLength(2);
      expect(await list({ userId: 1 })).toEqual(["user_created", "login_event"]);
      expect(await list({ userId: "0" })).toEqual(["login_event"]);
      expect(await list({ from: "2026-01-02", to: "2026-01-02" })).toEqual([
        "sign_out",
        "login_event",
      ]);
      expect(
        await list({ from: "2026-01-02", to: "2026-01-02", timeZone: "Europe/Berlin" }),
      ).toEqual(["login_event", "login_event"]);
      expect(await list({ search: "mallory_50%" })).toEqual(["user_created"]);
      expect(await list({ search: "SIGN_" })).toEqual(["sign_out"]);
      expect(await list({ search: "%" })).toEqual(["user_created"]);
      expect(await list({ search: "a\0b\ud800", userId: 1 })).toEqual([]);
      expect(await list({ event: "login_event", userId: 1, to: "2026-01-01" })).toHaveLength(1);
      expect(
        await instance().request(listEvents, { event: "login_event", limit: 1 }, admin),
      ).toMatchObject({ totalLogs: 2, hasPages: true });
    });

    it("are paged by cursor, too", async () => {
      const list = (input: object) => instance().request(listEvents, { limit: 3, ...input }, admin);
      const first = await list({});
      const rest = await list({ cursor: first.nextCursor! });
      expect([first, rest].map(({ logs, hasPages }) => [logs.length, hasPages])).toEqual([
        [3, true],
        [1, false],
      ]);
      expect(rest).toMatchObject({ nextCursor: null, totalLogs: 4 });
      expect(new Set([...first.logs, ...rest.logs].map(({ id }) => id)).size).toBe(4);
      await expect(list({ cursor: "nonsense" })).rejects.toMatchObject({
        code: "request.cursor-invalid",
      });
      for (const wrong of [
        { from: "2026-02-30" },
        { userId: -1 },
        { userId: "x" },
        { timeZone: "Mars/Base" },
        { search: {} },
      ])
        await expect(instance().request(listEvents, wrong as never, admin)).rejects.toMatchObject({
          kind: "BAD_INPUT",
        });
    });

    it("also narrow what is exported as a table, and offer what the log contains", async () => {
      const { events, next } = await instance().request(
        listExportedEvents,
        { userId: 1, after: 0, timeZone: "UTC" },
        admin,
      );
      expect([events.map(({ event, username }) => [event, username]), next]).toEqual([
        [
          ["login_event", "ada"],
          ["user_created", "ada"],
        ],
        null,
      ]);
      expect(await instance().request(getEventLogState, {}, admin)).toMatchObject({
        events: ["login_event", "sign_out", "user_created"],
        users: [{ id: 1, username: "ada" }],
        retentionDays: null,
      });
    });
  });
}
