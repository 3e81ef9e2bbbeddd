import type { FakeBehaviour, FakeMcp } from "@carrel/testing";
import type { Api } from "../api.ts";
import type { RunReader } from "./run-reader.ts";

/** How the model calls the tools of the fake MCP server. */
const look = "tools-look";
const write = "tools-write";
const partial = "Half of an answer that was never finished";
const done: FakeBehaviour = { reply: "Done." };

/** One run whose replica stops in a certain state. */
export interface AgentState {
  name: string;
  /**
   * The model's reply after this many results of tools. `attempt`: how often it has been asked for
   * it.
   */
  reply(results: number, attempt: number): FakeBehaviour;
  /** Whether the run is in the state, and takes it there. */
  hasReached(run: StateRun): boolean | Promise<boolean>;
  /** What the person does once the replica is gone. */
  afterwards?(run: StateRun): Promise<void>;
  /** How the run ends; default: with "Done.". */
  isBrokenOff?: true;
  /** Calls that arrive at the server, and how often. */
  calls: Record<string, number>;
  steps: { state: string; fault?: string }[];
  /** What the model must have been told. */
  told?: string;
}

export interface StateRun {
  name: string;
  api: Api;
  mcp: FakeMcp;
  reader: RunReader;
  /** How often the model has been asked, by number of results. */
  attempts: ReadonlyMap<number, number>;
  /** Ids of steps that the person has replied to: their new state arrives a little later. */
  repliedTo: Set<number>;
}

const call = (name: string, about: string): FakeBehaviour => ({
  toolCalls: [{ name, input: { about } }],
});
/** First silent, until its client is gone; then as usual. */
const silentOnce = (attempt: number): FakeBehaviour =>
  attempt === 1 ? { tokens: 3, hang: 0 } : done;
const findWaiting = ({ reader, repliedTo }: StateRun) =>
  [...reader.steps.values()].find(({ id, state }) => state === "waiting" && !repliedTo.has(id));
const isWaiting = (run: StateRun): boolean => findWaiting(run) !== undefined;
const hasCall = ({ mcp }: StateRun, about: string): boolean =>
  mcp.calls.some((each) => each.about === about);

async function reply(run: StateRun, path: "decision" | "answers", body: object): Promise<void> {
  const { api, reader, repliedTo } = run;
  const step = findWaiting(run);
  if (step === undefined) return void reader.faults.push(`nothing waits for the ${path}`);
  const { success } = await api.json<{ success: boolean }>(
    "POST",
    `/generation/${reader.generationId}/step/${step.id}/${path}`,
    body,
  );
  repliedTo.add(step.id);
  if (!success) reader.faults.push(`the ${path} came too late`);
}
const approve = (run: StateRun): Promise<void> => reply(run, "decision", { decision: "once" });

/** All but the first two have one call that is finished, and must not be made again. */
export const agentStates: AgentState[] = [
  {
    name: "silent",
    reply: (_, attempt) => silentOnce(attempt),
    hasReached: ({ attempts }) => attempts.get(0) === 1,
    calls: {},
    steps: [],
  },
  {
    name: "writing-before-steps",
    reply: () => ({ reply: partial, hang: 4 }),
    hasReached: ({ reader }) => reader.text.split(" ").length >= 3,
    isBrokenOff: true,
    calls: {},
    steps: [],
  },
  {
    name: "reading",
    reply: (results) => [call(look, "reading-first"), call(look, "reading-held")][results] ?? done,
    hasReached: (run) => hasCall(run, "reading-held"),
    calls: { "reading-first": 1, "reading-held": 2 },
    steps: [{ state: "done" }, { state: "done" }],
  },
  {
    name: "sending",
    reply: (results) => [call(look, "sending-first"), call(write, "sending-held")][results] ?? done,
    hasReached: async (run) => {
      if (isWaiting(run)) await approve(run);
      return hasCall(run, "sending-held");
    },
    calls: { "sending-first": 1, "sending-held": 1 },
    steps: [{ state: "done" }, { state: "unknown", fault: "tool.outcome-unknown" }],
    told: "its outcome is unknown",
  },
  {
    name: "between-steps",
    reply: (results, attempt) =>
      results === 0 ? call(look, "between-steps-first") : silentOnce(attempt),
    hasReached: ({ attempts }) => attempts.get(1) === 1,
    calls: { "between-steps-first": 1 },
    steps: [{ state: "done" }],
  },
  {
    name: "approval",
    reply: (results) => [call(look, "approval-first"), call(write, "approved")][results] ?? done,
    hasReached: isWaiting,
    afterwards: approve,
    calls: { "approval-first": 1, approved: 1 },
    steps: [{ state: "done" }, { state: "done" }],
    told: "write approved",
  },
  {
    name: "form",
    reply: (results) =>
      [
        call(look, "form-first"),
        {
          toolCalls: [
            { name: "ask-person", input: { questions: [{ question: "Which colour?" }] } },
          ],
        },
      ][results] ?? done,
    hasReached: isWaiting,
    afterwards: (run) => reply(run, "answers", { answers: ["Turquoise"] }),
    calls: { "form-first": 1 },
    steps: [{ state: "done" }, { state: "done" }],
    told: "Turquoise",
  },
  {
    name: "writing-after-steps",
    reply: (results, attempt) =>
      results === 0
        ? call(look, "writing-after-steps-first")
        : attempt === 1
          ? { reply: partial, hang: 4 }
          : done,
    hasReached: ({ reader }) => reader.text.split(" ").length >= 3,
    calls: { "writing-after-steps-first": 1 },
    steps: [{ state: "done" }],
  },
];
