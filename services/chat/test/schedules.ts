import {
  createSchedule,
  getSchedule,
  listScheduleRuns,
  listTurns,
  scheduleReported,
  type Args,
  type EventPayload,
  type Out,
  type ScheduleRunWire,
  type ScheduleWire,
  type TurnWire,
  type WorkspaceScope,
} from "@carrel/contracts";
import { waitFor } from "@carrel/testing";
import { slugOf, startChat } from "./chat-suite.ts";

type Content = Omit<Args<typeof createSchedule>, "slug">;
type Report = EventPayload<typeof scheduleReported>;

const ended = new Set(["done", "unchanged", "failed", "cancelled", "skipped"]);

/** A chat instance for a test file of scheduled work. */
export async function startSchedules(
  reply = "All is well.",
  environment: Record<string, string> = {},
) {
  const suite = await startChat(reply, environment);
  const { chat, sql } = suite;
  const reports: Report[] = [];
  chat.shared.messaging.broadcast.on(`event:${scheduleReported.name}`, (payload) =>
    reports.push(payload as Report),
  );
  const listRuns = async (scope: WorkspaceScope, id: string): Promise<ScheduleRunWire[]> =>
    (await chat.request(listScheduleRuns, { id }, scope)).runs;
  return {
    ...suite,
    listRuns,

    /** Due only in leap years, so that no real time interferes, unless a test says otherwise. */
    create: (
      scope: WorkspaceScope,
      part: Partial<Content> = {},
    ): Promise<Out<typeof createSchedule>> =>
      chat.request(
        createSchedule,
        {
          ...slugOf(scope),
          name: "Morning brief",
          work: { kind: "prompt", prompt: "What is new?", mode: "chat" },
          timing: { kind: "cron", cron: "0 9 29 2 *", timeZone: "Europe/Berlin" },
          ...part,
        },
        scope,
      ),

    async get(scope: WorkspaceScope, id: string): Promise<ScheduleWire> {
      return (await chat.request(getSchedule, { id }, scope)).schedule;
    },

    /** Its next time is due, or was so long ago. */
    async makeDue(id: string, secondsAgo = 0): Promise<void> {
      await sql(
        "UPDATE chat.schedule SET next_at = now() - make_interval(secs => $2) WHERE id = $1",
        [id, secondsAgo],
      );
    },

    /** Waits for the end of this many runs, and returns all, latest first. */
    async waitForRuns(scope: WorkspaceScope, id: string, count = 1): Promise<ScheduleRunWire[]> {
      let runs: ScheduleRunWire[] = [];
      await waitFor(
        async () => {
          runs = await listRuns(scope, id);
          return runs.filter(({ state }) => ended.has(state)).length >= count;
        },
        { timeoutMs: 40_000, what: `${count} ended runs` },
      );
      return runs;
    },

    /** What its owner sees in a thread; null: its thread can't be read. */
    async readThread(scope: WorkspaceScope, thread: string): Promise<TurnWire[] | null> {
      const read = chat.request(listTurns, { ...slugOf(scope), thread }, scope);
      return read.then(
        ({ turns }) => turns,
        () => null,
      );
    },

    reportsOf: (id: string): Report[] => reports.filter(({ scheduleId }) => scheduleId === id),
  };
}
