import {
  clearEvents,
  getEventLogState,
  listEvents,
  updatePreferences,
  verifyEvents,
  type Out,
} from "@carrel/contracts";
import type { FakeEvent } from "./administration-data.ts";
import type { FakeCall } from "./fake-call.ts";

const minutesAgo = (minutes: number): string =>
  new Date(Date.now() - minutes * 60_000).toISOString();

/** The event log of the fake gateway and the state of its chain. */
export class FakeEventLog {
  events: FakeEvent[] = [];
  retentionDays: number | null = null;
  checkpoint: Out<typeof getEventLogState>["checkpoint"] = null;
  fault: Out<typeof verifyEvents>["fault"] = null;
  unknownAnchors: Out<typeof verifyEvents>["unknownAnchors"] = { count: 0, days: [] };

  /** Returns true if it answered the call. */
  handle(call: FakeCall): boolean {
    const { path, method, body, json, reply } = call;
    if (path === "/system/event-logs/state") reply(getEventLogState, this.state());
    else if (path === "/system/event-logs/verify") reply(verifyEvents, this.verification());
    else if (path === "/system/event-logs/export") json({});
    else if (path === "/admin/system-preferences" && "event_log_retention_days" in body) {
      this.retentionDays = body.event_log_retention_days as number | null;
      reply(updatePreferences, { success: true, error: null });
    } else if (path !== "/system/event-logs") return false;
    else if (method === "DELETE") {
      this.events = [
        {
          event: "event_logs_cleared",
          metadata: null,
          userId: 1,
          occurredAt: new Date().toISOString(),
          user: { username: "mira_kowalska" },
        },
      ];
      reply(clearEvents, { success: true });
    } else this.list(call);
    return true;
  }

  private list({ body, reply }: FakeCall): void {
    const { offset = 0, limit = 10, event, userId, search } = body as Record<string, never>;
    const found = this.events.filter(
      (one) =>
        (event === undefined || one.event === event) &&
        (userId === undefined || (one.userId ?? 0) === userId) &&
        (search === undefined || `${one.event} ${one.metadata}`.includes(search)),
    );
    reply(listEvents, {
      logs: found
        .slice(offset * limit, (offset + 1) * limit)
        .map((one, index) => ({ id: 1000 - offset * limit - index, ...one })),
      hasPages: found.length > (offset + 1) * limit,
      totalLogs: found.length,
      nextCursor: null,
    });
  }

  private state(): Out<typeof getEventLogState> {
    const users = new Map(
      this.events.flatMap(({ userId, user }) => (userId === null ? [] : [[userId, user.username]])),
    );
    return {
      instance: "3a1c5f0e-1d2b-4c3d-8e4f-5a6b7c8d9e0f",
      sequence: 1_412,
      hash: "9f".repeat(32),
      keys: [
        {
          fingerprint: "5b1f07c6a9d24e3380be91c2f4d6a7081e2c3b4a5968778695a4b3c2d1e0f9a8",
          publicKey: "MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=",
        },
      ],
      lastAnchor: {
        day: minutesAgo(600).slice(0, 10),
        sequence: 1_398,
        hash: "9f".repeat(32),
        signedAt: minutesAgo(600),
      },
      checkpoint: this.checkpoint,
      retentionDays: this.retentionDays,
      events: [...new Set(this.events.map(({ event }) => event))],
      users: [...users].map(([id, username]) => ({ id: Number(id), username: String(username) })),
    };
  }

  private verification(): Out<typeof verifyEvents> {
    return {
      verified: this.fault === null,
      events: 1_412,
      anchors: 31,
      checkpoints: 0,
      first: { sequence: 1, occurredAt: minutesAgo(44_000) },
      last: { sequence: 1_412, occurredAt: minutesAgo(2) },
      lastAnchor: { day: minutesAgo(600).slice(0, 10), sequence: 1_398 },
      unknownAnchors: this.unknownAnchors,
      fault: this.fault,
    };
  }
}
