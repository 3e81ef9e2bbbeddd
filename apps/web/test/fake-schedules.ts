import {
  allowDeniedCall,
  cancelScheduleRun,
  createSchedule,
  deleteSchedule,
  getSchedule,
  getScheduleRun,
  listScheduleRuns,
  listSchedules,
  previewSchedule,
  rotateScheduleSecret,
  runSchedule,
  scheduleLabels,
  scheduleLimitLabel,
  schedulesLabel,
  setScheduleActive,
  updatePreferences,
  updateSchedule,
  type ScheduleRunWire,
  type Out,
  type ScheduleWire,
} from "@carrel/contracts";
import { answered, matcher, type FakeCall } from "./fake-call.ts";

const hour = 3_600_000;
const inMs = (milliseconds: number): string => new Date(Date.now() + milliseconds).toISOString();
const idOf = (part: number): string => `5c4ed01e-0000-4000-8000-${String(part).padStart(12, "0")}`;

export const weatherFlow = "11111111-1111-4111-8111-111111111111";
/** The run of this flow that its schedule has started. */
export const weatherRun = "00000000-2222-4222-8222-222222222222";

const scheduleWire = (part: number, more: Partial<ScheduleWire> = {}): ScheduleWire => ({
  id: idOf(part),
  name: `Schedule ${part}`,
  ownerId: null,
  workspaceId: 1,
  workspaceSlug: "heat-pump-retrofit",
  work: { kind: "prompt", prompt: "What has changed?", mode: null, model: null },
  timing: { kind: "cron", cron: "0 8 * * MON-FRI", timeZone: "Europe/Berlin" },
  missed: "once",
  delivery: { thread: "new", webhook: null, onlyWhenChanged: false },
  isWebhookUnreadable: false,
  approvals: [],
  active: true,
  pausedReason: null,
  nextAt: inMs(14 * hour),
  failures: 0,
  createdAt: "2026-11-01T08:00:00.000Z",
  updatedAt: "2026-11-01T08:00:00.000Z",
  byAgent: false,
  lastRun: null,
  ...more,
});

const runWire = (
  part: number,
  of: ScheduleWire,
  more: Partial<ScheduleRunWire> = {},
): ScheduleRunWire => ({
  id: idOf(1_000 + part),
  scheduleId: of.id,
  state: "done",
  dueAt: inMs(-part * 24 * hour),
  reason: "due",
  missedTimes: [],
  missedCount: 0,
  startedAt: inMs(-part * 24 * hour),
  endedAt: inMs(-part * 24 * hour + 8_000),
  threadSlug: "flow",
  generationId: null,
  flowRunId: null,
  fault: null,
  denied: [],
  webhook: null,
  ...more,
});

/** Schedules of the fake gateway; none at first. */
export class FakeSchedules {
  schedules: ScheduleWire[] = [];
  runs: ScheduleRunWire[] = [];
  enabled = true;
  limit = 20;
  /** Whose new schedules are. */
  ownerId: number | null = null;
  result = "Three documents have changed.\n\n1. Offer of Nordwärme: the price of the buffer rose.";
  /** Next runs of every timing. */
  nextRuns = [1, 2, 3, 4, 5].map((days) => inMs(days * 24 * hour));
  /** While set, runs by hand don't end. */
  isHeld = false;
  /** The text of the next save's refusal. */
  refusal: string | null = null;
  pageLength = 50;
  private added = 0;

  /** @param announce tells readers that a schedule has changed */
  constructor(private readonly announce: (scheduleId: string) => void) {}

  /** Bodies and paths of mutating requests, in order. */
  readonly sent: { method: string; path: string; body: Record<string, unknown> }[] = [];

  fill(ownerId: number | null = null): void {
    this.ownerId = ownerId;
    const briefing = scheduleWire(1, {
      ownerId,
      name: "Morning briefing",
      work: {
        kind: "agent",
        prompt: "Search the web for news on heat pumps and write a short briefing with links.",
        model: null,
      },
      approvals: [{ tool: "outlook-send", destination: "team@example.com" }],
      delivery: {
        thread: "new",
        webhook: "https://ci.example.com/hook?t=1",
        onlyWhenChanged: true,
      },
    });
    const weather = scheduleWire(2, {
      ownerId,
      name: "Weather for the site",
      work: { kind: "flow", flowId: weatherFlow, inputs: { city: "Kiel" } },
      timing: { kind: "cron", cron: "0 6 * * MON,THU", timeZone: "Europe/Berlin" },
      nextAt: inMs(50 * hour),
      workspaceId: 2,
      workspaceSlug: "tenant-handbook",
    });
    const changes = scheduleWire(3, {
      ownerId,
      name: "What changed in the offers",
      active: false,
      nextAt: null,
      failures: 5,
      pausedReason: { code: "schedule.paused-failures", params: { count: 5 } },
      timing: { kind: "cron", cron: "*/15 9-17 * * MON-FRI", timeZone: "America/New_York" },
      byAgent: true,
    });
    const move = scheduleWire(4, {
      ownerId,
      name: "Checklist before the hand-over",
      timing: { kind: "once", at: "2027-03-01T08:30:00.000Z", timeZone: "Europe/Berlin" },
      nextAt: "2027-03-01T08:30:00.000Z",
    });
    this.schedules = [briefing, move, weather, changes];
    this.runs = [
      runWire(0, briefing, {
        dueAt: inMs(-2 * hour),
        startedAt: inMs(-2 * hour),
        endedAt: inMs(-2 * hour + 72_000),
        denied: [
          {
            tool: "outlook-send",
            destination: "board@example.com",
            details: [
              { label: "subject", value: "Heat pumps this week" },
              { label: "body", value: "Dear all,\nprices fell by 4 %." },
            ],
            isAllowed: false,
          },
        ],
        webhook: { state: "delivered", status: 204, attempts: 1, fault: null },
      }),
      runWire(1, briefing, { state: "unchanged", threadSlug: null }),
      runWire(2, briefing, {
        reason: "late",
        missedTimes: [inMs(-49 * hour), inMs(-73 * hour)],
        missedCount: 4,
      }),
      runWire(3, briefing, {
        state: "failed",
        threadSlug: null,
        fault: { code: "egress.unreachable", params: { host: "search.example.com" } },
      }),
      runWire(4, briefing, {
        state: "skipped",
        startedAt: null,
        threadSlug: null,
        fault: { code: "schedule.skipped-running" },
      }),
      runWire(5, weather, { threadSlug: "night", flowRunId: weatherRun }),
      runWire(7, weather, {
        state: "failed",
        threadSlug: null,
        flowRunId: weatherRun,
        fault: {
          code: "flow.request-not-approved",
          params: { block: "Tell the team", destination: "https://chat.example.com" },
        },
        denied: [
          {
            tool: `@@flow_${weatherFlow}`,
            destination: "https://chat.example.com",
            details: [
              {
                label: "Tell the team",
                value: 'POST https://chat.example.com/hooks/7\n\n{"text":"48 °C at noon"}',
              },
            ],
            isAllowed: false,
          },
        ],
      }),
      runWire(6, changes, {
        state: "failed",
        threadSlug: null,
        fault: { code: "schedule.start-failed" },
      }),
    ];
    this.noteRuns();
  }

  private noteRuns(): void {
    for (const schedule of this.schedules) {
      const [last] = this.runsOf(schedule.id);
      schedule.lastRun =
        last === undefined
          ? null
          : { ...last, deniedCount: last.denied.filter(({ isAllowed }) => !isAllowed).length };
    }
  }
  private runsOf(id: string): ScheduleRunWire[] {
    return this.runs
      .filter(({ scheduleId }) => scheduleId === id)
      .sort((one, other) => Date.parse(other.dueAt) - Date.parse(one.dueAt));
  }
  /** Ends the runs that haven't ended. */
  endRuns(more: Partial<ScheduleRunWire> = {}): void {
    for (const run of this.runs)
      if (run.state === "running")
        Object.assign(run, { state: "done", endedAt: inMs(0), threadSlug: "flow" }, more);
    this.noteRuns();
    for (const { id } of this.schedules) this.announce(id);
  }

  /** Returns true if it answered the call. */
  handle(call: FakeCall): boolean {
    const { method, path, body, reply, json } = call;
    const at = matcher(call);
    if (path === "/admin/system-preferences" && scheduleLabels.some((label) => label in body)) {
      if (schedulesLabel in body) this.enabled = body[schedulesLabel] === "true";
      else this.limit = (body[scheduleLimitLabel] as number | null) ?? 20;
      return answered(reply(updatePreferences, { success: true, error: null }));
    }
    const created = at("POST", /^\/workspace\/([^/]+)\/schedules$/);
    if (created === null && !/^\/schedules(\/|$)/.test(path)) return false;
    if (at("POST", /^\/schedules\/preview$/))
      return answered(
        String((body.timing as { cron?: string }).cron).includes("x")
          ? json(
              {
                error:
                  "This isn't a valid cron expression. Use five fields, such as 0 9 * * MON, or a macro, such as @daily.",
              },
              400,
            )
          : reply(previewSchedule, { runs: this.nextRuns }),
      );
    if (method !== "GET") this.sent.push({ method, path, body });
    if (this.refusal !== null && (created !== null || at("PUT", /^\/schedules\/[^/]+$/))) {
      const error = this.refusal;
      this.refusal = null;
      return answered(json({ error }, 400));
    }
    const content = body as unknown as ScheduleWire;
    const secretOf = (before: string | null): string | null =>
      content.delivery.webhook !== null && content.delivery.webhook !== before
        ? "whsec_c2VjcmV0IG9mIGEgc2NoZWR1bGU="
        : null;
    if (created !== null) {
      this.added += 1;
      const schedule = scheduleWire(100 + this.added, {
        ...content,
        ownerId: this.ownerId,
        workspaceSlug: created[1]!,
        nextAt: this.nextRuns[0]!,
      });
      this.schedules.push(schedule);
      return answered(reply(createSchedule, { schedule, secret: secretOf(null) }));
    }
    if (path === "/schedules") return answered(reply(listSchedules, this.list(call.query)));
    const [, id, part, runId, action] = path.slice(1).split("/");
    const schedule = this.schedules.find((each) => each.id === id);
    if (schedule === undefined)
      return answered(json({ error: "This schedule doesn't exist." }, 404));
    if (part === undefined) {
      if (method === "GET") return answered(reply(getSchedule, { schedule }));
      if (method === "DELETE") {
        this.schedules = this.schedules.filter((each) => each !== schedule);
        return answered(reply(deleteSchedule, { success: true }));
      }
      const secret = secretOf(schedule.delivery.webhook);
      Object.assign(schedule, content);
      return answered(reply(updateSchedule, { schedule, secret }));
    }
    if (part === "active") {
      const active = body.active === true;
      Object.assign(schedule, { active, nextAt: active ? this.nextRuns[0] : null });
      schedule.pausedReason = null;
      return answered(reply(setScheduleActive, { schedule }));
    }
    if (part === "secret")
      return answered(reply(rotateScheduleSecret, { secret: "whsec_YW5vdGhlciBvbmU=" }));
    if (part === "run") {
      this.added += 1;
      const run = runWire(100 + this.added, schedule, {
        state: "running",
        reason: "manual",
        dueAt: inMs(0),
        startedAt: inMs(0),
        endedAt: null,
        threadSlug: null,
      });
      this.runs.push(run);
      if (!this.isHeld) this.endRuns();
      this.noteRuns();
      return answered(reply(runSchedule, { runId: run.id }));
    }
    const run = this.runs.find((each) => each.id === runId);
    if (run === undefined)
      return answered(
        reply(listScheduleRuns, { runs: this.runsOf(schedule.id), nextCursor: null }),
      );
    if (action === "cancel") {
      Object.assign(run, { state: "cancelled", endedAt: inMs(0) });
      this.noteRuns();
      return answered(reply(cancelScheduleRun, { success: true }));
    }
    if (action === "allow") {
      const denied = run.denied[Number(body.call)]!;
      denied.isAllowed = true;
      schedule.approvals.push({ tool: denied.tool, destination: denied.destination });
      this.noteRuns();
      return answered(reply(allowDeniedCall, { approvals: schedule.approvals }));
    }
    return answered(reply(getScheduleRun, { run, text: this.result }));
  }
  private list(query: URLSearchParams): Out<typeof listSchedules> {
    const listed = this.schedules.filter(
      ({ ownerId, work }) =>
        (query.get("of") === "all" || ownerId === this.ownerId) &&
        [null, work.kind === "flow" ? work.flowId : ""].includes(query.get("flowId")),
    );
    const from = Number(query.get("cursor") ?? 0);
    const next = from + this.pageLength;
    return {
      schedules: listed.slice(from, next).map(({ approvals: _, work, ...schedule }) => ({
        ...schedule,
        work:
          work.kind === "flow"
            ? { kind: work.kind, flowId: work.flowId }
            : { kind: work.kind, promptStart: work.prompt },
      })),
      nextCursor: next < listed.length ? String(next) : null,
      total: listed.length,
      enabled: this.enabled,
      limit: this.limit,
      used: this.schedules.length,
      defaultLimit: 20,
      minimumSeconds: 300,
    };
  }
}
