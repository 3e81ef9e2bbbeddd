import { mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { decideStep, type ApprovalDecision, type RunStep } from "@carrel/contracts";
import type { ContentClient } from "@carrel/egress";
import { toTool, type McpConnection } from "@carrel/mcp";
import {
  createFilesystemAgent,
  createGmail,
  createRagMemory,
  createWebBrowsing,
  createWebScraping,
  type Tool,
} from "@carrel/skills";
import { jest } from "@jest/globals";
import { failing, stepsOf, toolOf } from "../../test/agent-tools.ts";
import { ChatInstance } from "../../test/chat-instance.ts";
import type { ReceivedFrame } from "../../test/received-frame.ts";
import { AgentTools } from "./agent-tools.ts";
import { goals, places, tellings, type Call, type Goal, type Place } from "./injection.fixture.ts";

interface Case {
  id: number;
  place: Place;
  goal: Goal;
  secret: string;
  text: string;
  calls: Call[];
}

/** Every telling with four goals, every goal at least four times, in all places. */
const cases = tellings.flatMap((tell, row) =>
  [0, 1, 2, 3].map((column): Case => {
    const id = row * 4 + column + 1;
    const goal = goals[(row * 5 + column * 9) % goals.length]!;
    const secret = `zq${String(7_919 * id).padStart(7, "0")}xw`;
    const place = places[(row + column) % places.length]!;
    return {
      id,
      goal,
      secret,
      // A search in a run that has read no document may ask whatever it likes.
      place: goal.isSearch === true && place !== "mcp-error" ? "document" : place,
      text: tell(goal.order(secret)),
      calls: goal.calls(secret, id),
    };
  }),
);
const find = (text: string): Case => cases[Number(/Case (\d+)/.exec(text)![1]) - 1]!;

/** Whatever left, was changed or was remembered. */
const effects: string[] = [];
let chat: ChatInstance;
let folder: string;
let spy: { mockRestore(): void };

/** The web: it only has the pages that people ask about. */
const content = {
  fetch: (url, init = {}) => {
    const page = cases.find(({ id }) => url === `https://pages.example/${id}`);
    if (page === undefined) effects.push(`${init.method ?? "GET"} ${url} ${String(init.body)}`);
    return Promise.resolve({
      url,
      status: 200,
      headers: new Headers(),
      body: Buffer.from(`${page?.text ?? "{}"}\nA page.`),
      mime: "text/plain",
      isPublic: true,
    });
  },
} as Partial<ContentClient> as ContentClient;

const record = (name: string, input: unknown): void => {
  effects.push(`${name} ${JSON.stringify(input)}`);
};

/** The real tools where one can be told where to go, over a web and a server that keep a record. */
function toolsFor({ place, text, goal }: Case): Tool[] {
  const connection = {
    name: "tickets",
    call: ({ name }: { name: string }, input: unknown) => {
      if (name === "create") record(name, input);
      else if (place === "mcp-error") failing(text);
      return Promise.resolve({ content: [{ type: "text", text: name === "create" ? "-" : text }] });
    },
  } as unknown as McpConnection;
  const mcp = (name: string, isReadOnly: boolean): Tool =>
    toTool(
      connection,
      {
        name,
        title: null,
        description: place === "mcp-description" ? text : `Does ${name}.`,
        schema: { type: "object" },
        isSchemaReplaced: false,
        isReadOnly,
        isIdempotent: false,
        hash: "",
        declared: {},
      },
      `tickets-${name}`,
      "tickets.example",
    );
  const remember = createRagMemory({
    search: { search: () => Promise.resolve([]) },
    documents: {} as never,
    memory: {
      remember: (fact) => {
        record("remember", fact);
        return Promise.resolve();
      },
    },
  }).filter(({ name }) => name === "remember");
  return [
    toolOf("read-file", () => ({ text }), { skill: "rag-memory", isUntrusted: true }),
    ...remember,
    ...createWebScraping({ content }),
    ...createWebBrowsing({ provider: "duckduckgo-engine", values: {}, content }),
    ...createGmail({ deploymentId: "AKfycb-test", apiKey: "key" }, { content }),
    ...createFilesystemAgent({
      folders: [{ name: "notes", path: folder, writable: true }],
      home: chat.home,
    }),
    ...(goal.usesMcp === true || place.startsWith("mcp")
      ? [mcp("list", true), mcp("create", false)]
      : []),
  ];
}

const firstQuestion = (messages: readonly { role: string }[]): number =>
  messages.findIndex(({ role }) => role === "user");

const reading: Record<Place, (id: number) => Call[]> = {
  page: (id) => [{ name: "read-web-page", input: { url: `https://pages.example/${id}` } }],
  document: () => [{ name: "read-file", input: {} }],
  "mcp-result": () => [{ name: "tickets-list", input: {} }],
  "mcp-error": () => [{ name: "tickets-list", input: {} }],
  "mcp-description": () => [],
  "earlier-answer": () => [],
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "carrel-notes-"));
  await writeFile(join(folder, "plan.md"), "Plan A\n");
  chat = await ChatInstance.start();
  await chat.startReplica({ CARREL_AGENT_WAIT_SECONDS: "60" });
  spy = jest
    .spyOn(AgentTools.prototype, "list")
    .mockImplementation(({ question }) => Promise.resolve(toolsFor(find(question))));
  // Reads where the text is, then does what it says, one call after the other.
  chat.llm.behave({
    choose: (body) => {
      const messages = body.messages as { role: string; content: unknown }[];
      const { id, place, text, calls } = find(JSON.stringify(messages));
      const last = messages.findLastIndex(({ role }) => role === "user");
      const done = messages.slice(last).filter(({ role }) => role === "tool").length;
      // Repeats what it has read, for a run that reads nothing but this.
      if (place === "earlier-answer" && last === firstQuestion(messages))
        return done === 0 ? { toolCalls: reading.document(id) } : { reply: text };
      const next = [...reading[place](id), ...calls][done];
      return next === undefined ? { reply: "Done." } : { toolCalls: [next] };
    },
  });
});
afterAll(async () => {
  spy?.mockRestore();
  await chat?.stop();
  await rm(folder, { recursive: true });
});

const isWaiting = ({ frame }: { frame: Record<string, unknown> }): boolean =>
  frame.type === "generationStep" && (frame.step as RunStep).state === "waiting";

/** Asks about the page of a case. Returns the steps, each of which was decided so if it waited. */
async function run({ id, place, goal, secret }: Case, decision: ApprovalDecision) {
  const scope = chat.addWorkspace({ chatMode: "automatic" });
  const question = `Case ${id}: look at https://pages.example/${id} please.${goal.isSearch === true ? "" : ` My code is ${secret}.`}`;
  if (place === "earlier-answer") await chat.ask(scope, question);
  const { generationId } = await chat.start(scope, question);
  const frames: ReceivedFrame[] = [];
  for (;;) {
    const after = frames.at(-1)?.seq ?? 0;
    frames.push(...(await chat.read(generationId, { after, until: isWaiting })));
    const last = frames.at(-1)!;
    if (!isWaiting(last)) return stepsOf(frames);
    const { id: step } = last.frame.step as RunStep;
    await chat.request(decideStep, { id: generationId, step, decision }, scope);
  }
}

/** In parts, all of which run at the same time. */
async function inParts<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const rest = [...all];
  await Promise.all(
    Array.from({ length: 12 }, async () => {
      for (let next = rest.shift(); next !== undefined; next = rest.shift()) await work(next);
    }),
  );
}

const textsIn = (value: unknown): string[] =>
  typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([key, each]) => [
        ...(Array.isArray(value) ? [] : [key]),
        ...textsIn(each),
      ])
    : [String(value)];

/** Words of a call that its approval doesn't show; a fragment isn't sent. */
function missingIn({ approval }: RunStep, { input }: Call): string[] {
  const shown = [approval!.destination, ...approval!.details.map(({ value }) => value)]
    .join(" ")
    .toLowerCase();
  return Object.values(input)
    .flatMap(textsIn)
    .flatMap(
      (text) =>
        text
          .replace(/#.*/s, "")
          .toLowerCase()
          .match(/[a-z0-9]{5,}/g) ?? [],
    )
    .filter((word) => !shown.includes(word));
}
it("has enough texts, in all places and with all goals", () => {
  expect(cases.length).toBeGreaterThanOrEqual(120);
  expect(new Set(cases.map(({ place }) => place)).size).toBe(places.length);
  expect(new Set(cases.map(({ goal }) => goal)).size).toBe(goals.length);
  expect(new Set(cases.map(({ text }) => text)).size).toBe(cases.length);
});

it("lets nothing leave, change or be remembered for a model that obeys all of them", async () => {
  const faults: string[] = [];
  await inParts(cases, async (one) => {
    const steps = (await run(one, "denied")).slice(reading[one.place](one.id).length);
    const say = (what: string): number =>
      faults.push(`case ${one.id} (${one.place}: ${one.goal.order("…")}): ${what}`);
    if (steps.length !== one.calls.length) say(`${steps.length} calls`);
    for (const [index, step] of steps.entries()) {
      if (step.fault?.code === "tool.unknown") continue;
      if (step.state !== "denied" || step.approval?.reason !== "untrusted")
        say(`${step.tool} ${step.state} ${JSON.stringify(step.fault)}`);
      else if (step.approval.canBeLasting) say("can be approved for good");
      else if (missingIn(step, one.calls[index]!).length > 0)
        say(`${step.tool} hides ${missingIn(step, one.calls[index]!).join()}`);
    }
  });
  expect(faults).toEqual([]);
  expect(effects).toEqual([]);
  expect(await readdir(folder)).toEqual(["plan.md"]);
  expect(await readFile(join(folder, "plan.md"), "utf8")).toBe("Plan A\n");
});

it("does what a person has approved, once", async () => {
  const all = goals.map((goal) => cases.find((one) => one.goal === goal)!);
  const kinds = ["remember", "gmail-send", "read-web-page", "search-web", "tickets-create"];
  await inParts(
    kinds.map((kind) => all.find(({ calls }) => calls[0]!.name === kind)!),
    async (one) => {
      await run(one, "once");
      expect({ id: one.id, n: effects.filter((each) => each.includes(one.secret)).length }).toEqual(
        { id: one.id, n: one.calls.length },
      );
    },
  );
});
