import {
  createBudget,
  decideStep,
  getSchedule,
  instancePrincipal,
  listScheduleRuns,
  memoryLimits,
  runSchedule,
  type RunStep,
  type WorkspaceScope,
} from "@carrel/contracts";
import { poll } from "@carrel/testing";
import { DataSource } from "typeorm";
import { stepsOf } from "../../test/agent-tools.ts";
import { ChatInstance } from "../../test/chat-instance.ts";
import { passageOf } from "../../test/factories/passage.ts";
import { MemoryRepository } from "../memory/memory.repository.ts";
import { AgentMemories } from "./agent-memories.ts";

let chat: ChatInstance;
let database: DataSource;
beforeAll(async () => {
  chat = await ChatInstance.start();
  chat.fixture.values = {
    ...chat.fixture.values,
    memory_enabled: "true",
    memory_auto_extraction: "false",
  };
  chat.fixture.agents = {
    ...chat.fixture.agents,
    skills: ["rag-memory", "document-summarizer", "code-interpreter", "create-scheduled-job"],
    maxToolCalls: 20,
  };
  await chat.startReplica();
  database = await new DataSource({
    type: "postgres",
    url: chat.database.url,
    extra: { options: "-c search_path=chat" },
  }).initialize();
});
afterAll(async () => {
  await database?.destroy();
  await chat?.stop();
});

const call = (name: string, input: Record<string, unknown> = {}) => ({
  toolCalls: [{ name, input }],
});
const steps = async (
  scope: WorkspaceScope,
  calls: ReturnType<typeof call>[],
  overrides?: Parameters<typeof chat.ask>[2],
) => {
  chat.llm.next(...calls, { reply: "Done." });
  return stepsOf((await chat.ask(scope, "Look it up.", overrides)).frames);
};

const [inside, outside, second] = [1, 2, 3].map(
  (n) => `5b9c6a1e-0000-4000-8000-00000000000${n}`,
) as [string, string, string];

const addDocuments = (): WorkspaceScope => {
  const scope = chat.addWorkspace({ chatMode: "automatic" }, [passageOf()]);
  const page = (n: number): string => `Page ${n} says calm. `.repeat(10);
  const pages = [1, 2, 3].map((n) => ({ page: n, start: (n - 1) * page(1).length }));
  chat.fixture.documents.set(scope.workspace.id, [
    { id: inside, title: "Survey", folder: "Harbour", text: [1, 2, 3].map(page).join(""), pages },
    { id: outside, title: "Notes", text: "Notes of ours." },
    { id: second, title: "NOTES", text: "Notes of others." },
  ]);
  return scope;
};

describe("a question about certain places", () => {
  const places = { documentIds: [], folders: ["Harbour"] };

  it("keeps the tools to them", async () => {
    const scope = addDocuments();
    chat.fixture.searches.length = 0;
    const [found, listed, read, foreign] = await steps(
      scope,
      [
        call("search-documents", { query: "radiators", folder: "Other" }),
        call("list-documents"),
        call("read-document", { document: inside }),
        call("read-document", { document: outside }),
      ],
      { overrides: { places } },
    );
    expect(found).toMatchObject({ state: "done" });
    expect(chat.fixture.searches).toMatchObject([{ filter: { places, folders: ["Other"] } }]);
    expect(listed!.result).toContain("Documents 1 to 1 of 1");
    expect(read).toMatchObject({ state: "done" });
    expect(foreign).toMatchObject({ state: "failed", fault: { code: "document.no-match" } });
  });

  it("isn't one if it names none", async () => {
    const [listed, read] = await steps(addDocuments(), [
      call("list-documents"),
      call("read-document", { document: outside }),
    ]);
    expect(listed!.result).toContain("Documents 1 to 3 of 3");
    expect(read).toMatchObject({ state: "done" });
  });
});

describe("documents", () => {
  it("are found by ID, and nothing else for an unknown one", async () => {
    const scope = addDocuments();
    chat.fixture.lookUps.length = 0;
    const unknown = "5b9c6a1e-0000-4000-8000-000000000009";
    const [known, missing] = await steps(scope, [
      call("read-document", { document: inside.toUpperCase() }),
      call("read-document", { document: unknown }),
    ]);
    expect(known).toMatchObject({ state: "done" });
    expect(missing).toMatchObject({ state: "failed", fault: { code: "document.no-match" } });
    expect(chat.fixture.lookUps.map(({ filter }) => filter.documentIds)).toEqual([
      [inside],
      [unknown],
    ]);
  });

  it("are read with all their pages", async () => {
    const [read, from] = await steps(addDocuments(), [
      call("read-document", { document: "survey" }),
      call("read-document", { document: "survey", page: 2 }),
    ]);
    expect(read!.result).toContain("pages 1 to 3");
    expect(from!.result).toContain("pages 2 to 3");
  });

  it("are listed by ingest's filters and total", async () => {
    const scope = addDocuments();
    chat.fixture.lookUps.length = 0;
    await steps(scope, [
      call("list-documents", { name: "a\0b", folder: " Harbour ", type: "pdf", page: 2 }),
    ]);
    expect(chat.fixture.lookUps).toMatchObject([
      { search: "ab", filter: { folders: ["Harbour"], types: ["pdf"] }, offset: 50, limit: 50 },
    ]);
  });

  it("aren't given to programs if a name means several", async () => {
    const [several, one] = await steps(addDocuments(), [
      call("run-code", { code: "readText('notes')", files: ["notes"] }),
      call("run-code", { code: `readText('${outside}')`, files: [outside] }),
    ]);
    expect(several).toMatchObject({ state: "failed", fault: { code: "document.several-match" } });
    expect(one!.result).toContain("Notes of ours.");
  });
});

describe("remembering", () => {
  const port = (scope: WorkspaceScope) =>
    new AgentMemories(database, new MemoryRepository(database)).portOf(scope);
  const contents = async (scope: WorkspaceScope): Promise<string[]> =>
    (
      await database.query<{ content: string }[]>(
        "SELECT content FROM chat.memory WHERE workspace_id = $1 ORDER BY id",
        [scope.workspace.id],
      )
    ).map(({ content }) => content);
  const { signal } = new AbortController();

  it("keeps a fact once, however often the call is made", async () => {
    const scope = chat.addWorkspace();
    for (let n = 0; n < 3; n += 1) await port(scope).remember("Likes tea.", "run:1", signal);
    await port(scope).remember("Likes tea.", "run:2", signal);
    expect(await contents(scope)).toEqual(["Likes tea.", "Likes tea."]);
  });

  it("fails once there are as many as there may be", async () => {
    const scope = chat.addWorkspace({ chatMode: "automatic" });
    for (let n = 0; n < memoryLimits.workspace; n += 1)
      await port(scope).remember(`Fact ${n}`, `full:${n}`, signal);
    const [step] = await steps(scope, [call("remember", { text: "Likes tea." })]);
    expect(step).toMatchObject({ state: "failed", fault: { code: "memory.workspace-full" } });
    expect(await contents(scope)).toHaveLength(memoryLimits.workspace);
  });
});

it("summaries stop once a budget is used up", async () => {
  const scope = addDocuments();
  const text = "The harbour was calm, and high water came at four. ".repeat(20_000);
  chat.fixture.documents.set(scope.workspace.id, [{ id: inside, title: "Long", text }]);
  await chat.request(
    createBudget,
    { subject: "instance", period: "month", unit: "tokens", warnAt: null, stopAt: 60_000 },
    { principal: instancePrincipal, workspace: null } as unknown as WorkspaceScope,
  );
  const before = chat.llm.requests.length;
  chat.llm.next(call("summarize-document", { document: inside }));
  const { frames } = await chat.ask(scope, "Summarize it.");
  await database.query("DELETE FROM chat.budget");
  expect(stepsOf(frames)).toMatchObject([
    { state: "failed", fault: { code: "budget.month-used" } },
  ]);
  // It has about 70 pieces.
  expect(chat.llm.requests.length - before).toBeLessThan(40);
});

it("an answer ends once a budget is used up, and keeps the steps so far", async () => {
  const scope = addDocuments();
  chat.llm.next({ reply: "Hello." });
  const { chatId } = await chat.ask(scope, "Hello?");
  const [{ used }] = await database.query<[{ used: number }]>(
    "SELECT sum(input_tokens)::int AS used FROM chat.model_usage WHERE turn_id = $1",
    [chatId],
  );
  await chat.request(
    createBudget,
    {
      subject: "workspace",
      subjectId: scope.workspace.id,
      period: "month",
      unit: "tokens",
      warnAt: null,
      // Enough for one more call of the model, not for two.
      stopAt: Math.round(used * 1.9),
    },
    { principal: instancePrincipal, workspace: null } as unknown as WorkspaceScope,
  );
  const before = chat.llm.requests.length;
  chat.llm.next(call("list-documents"));
  const { frames } = await chat.ask(scope, "What is there?");
  await database.query("DELETE FROM chat.budget");
  expect(stepsOf(frames)).toMatchObject([{ tool: "list-documents", state: "done" }]);
  expect(JSON.stringify(frames)).toContain("budget.month-used");
  expect(chat.llm.requests.length - before).toBe(1);
});

it("work is scheduled once it is approved, and can't schedule more", async () => {
  const scope = chat.addWorkspace({ chatMode: "automatic" });
  const job = { name: "Brief", prompt: "What is new?", cron: "0 9 * * *", timeZone: "UTC" };
  chat.llm.next(call("create-scheduled-job", job), { reply: "Scheduled." });
  const { generationId } = await chat.start(scope, "Brief me every morning.");
  const waiting = await chat.read(generationId, {
    until: ({ frame }) =>
      frame.type === "generationStep" && (frame.step as RunStep).state === "waiting",
  });
  const step = waiting.at(-1)!.frame.step as RunStep;
  expect(step.approval!.details).toContainEqual({ label: "schedule", value: "0 9 * * * (UTC)" });
  await chat.request(decideStep, { id: generationId, step: step.id, decision: "once" }, scope);
  const [created] = stepsOf(await chat.read(generationId)).at(-1)!.outputs;
  expect(created).toMatchObject({ type: "schedule", name: "Brief", schedule: "0 9 * * *" });
  const { id } = created as { id: string };
  const { schedule } = await chat.request(getSchedule, { id }, scope);
  expect(schedule).toMatchObject({
    work: { kind: "agent", prompt: "What is new?" },
    byAgent: true,
    approvals: [],
    delivery: { webhook: null },
  });
  await chat.request(runSchedule, { id }, scope);
  await poll(async () => (await chat.request(listScheduleRuns, { id }, scope)).runs).toMatchObject([
    { state: "done" },
  ]);
  const { tools } = chat.llm.requests.at(-1)!.body as { tools: { function: { name: string } }[] };
  const offered = tools.map(({ function: { name } }) => name);
  expect(offered).toContain("search-documents");
  expect(offered).not.toContain("create-scheduled-job");
});
