import {
  startFakeMcp,
  waitFor,
  type Deployment,
  type FakeBehaviour,
  type FakeLlm,
  type FakeMcp,
} from "@carrel/testing";
import { AgentClient, callAgent, streamedText } from "../agent-client.ts";
import { Api } from "../api.ts";
import { agentStates, type AgentState, type StateRun } from "./agent-states.ts";
import { RunReader } from "./run-reader.ts";

/** What processes need to reach the fake MCP server. */
export const reachesFakeMcp = { CARREL_LINK_ALLOW: "127.0.0.1" };

/** On a busy machine, other replicas notice later that one is gone. */
const timeoutMs = 90_000;
/** The state of a client of the agents' socket, which also waits for an approval. */
const socketState = "socket";

interface Message {
  role: string;
  content: unknown;
}

/** Answers as the states say; counts how often each reply was asked for. */
class ScriptedModel {
  private readonly attempts = new Map<string, Map<number, number>>();
  private readonly prompts = new Map<string, string[]>();

  readonly behaviour: FakeBehaviour = { choose: (body) => this.choose(body) };

  attemptsOf(name: string): Map<number, number> {
    const known = this.attempts.get(name) ?? new Map<number, number>();
    this.attempts.set(name, known);
    return known;
  }

  /** Whether the model has read this text in the answer to the state's question. */
  hasRead(name: string, text: string): boolean {
    return this.prompts.get(name)?.some((prompt) => prompt.includes(text)) === true;
  }

  private choose({ messages }: Record<string, unknown>): FakeBehaviour {
    if (!Array.isArray(messages)) return {};
    const asked = messages as Message[];
    const text = JSON.stringify(asked);
    const name = /state:([a-z-]+)/.exec(text)?.[1] ?? "";
    const results = asked.filter(({ role }) => role === "tool").length;
    const attempts = this.attemptsOf(name);
    const attempt = (attempts.get(results) ?? 0) + 1;
    attempts.set(results, attempt);
    this.prompts.set(name, [...(this.prompts.get(name) ?? []), text]);
    if (name === socketState)
      return results === 0
        ? { toolCalls: [{ name: "tools-write", input: { about: "by-socket" } }] }
        : { reply: "Done." };
    return agentStates.find((state) => state.name === name)?.reply(results, attempt) ?? {};
  }
}

/**
 * Brings one run into each state on the only chat replica, starts another one, ends the first, and
 * returns what then goes wrong. Half of the clients let go of their streams meanwhile.
 */
export async function loseReplica(
  deployment: Deployment,
  llm: FakeLlm,
  signal: "SIGKILL" | "SIGTERM",
): Promise<string[]> {
  for (const spare of deployment.named("chat").slice(1)) await deployment.kill(spare, "SIGTERM");
  const { url } = deployment.named("gateway")[0]!;
  const api = new Api(url);
  const mcp = await startFakeMcp([{ name: "look", isReadOnly: true }, { name: "write" }]);
  const model = new ScriptedModel();
  llm.behave(model.behaviour);
  try {
    await addServer(api, mcp);
    const { slug } = await api.makeWorkspace(`Lost with ${signal}`);
    await api.json("POST", `/workspace/${slug}/update`, { chatMode: "automatic" });
    mcp.hold(/-held$/);
    const runs = await Promise.all(
      agentStates.map((state) => startRun({ state, slug, url, api, mcp, model })),
    );
    const socket = await openSocket(api, slug);
    await Promise.all(
      runs.map(({ state, run }) =>
        waitFor(() => state.hasReached(run), { what: `state ${state.name}`, timeoutMs }),
      ),
    );
    const [victim] = deployment.named("chat");
    await deployment.deploy("chat");
    for (const [at, { run }] of runs.entries()) if (at % 2 === 0) run.reader.detach();
    await deployment.kill(victim!, signal);
    mcp.hold(/^$/);
    for (const [at, { run }] of runs.entries()) if (at % 2 === 0) run.reader.attach();
    await Promise.all(runs.map(({ state, run }) => state.afterwards?.(run)));
    const faults = await Promise.all([
      ...runs.map(async ({ state, run }) =>
        (await judge(state, run, model)).map((fault) => `${state.name}: ${fault}`),
      ),
      judgeSocket(socket, mcp),
    ]);
    await api.json("POST", "/mcp-servers/delete", { name: "tools" });
    return faults.flat();
  } finally {
    llm.behave({});
    await mcp.stop();
  }
}

async function addServer(api: Api, mcp: FakeMcp): Promise<void> {
  await api.json("POST", "/admin/system-preferences", {
    agent_clarifying_questions_enabled: true,
  });
  await api.json("POST", "/mcp-servers", {
    name: "tools",
    config: { kind: "address", url: mcp.url, transport: "streamable" },
  });
}

async function startRun(o: {
  state: AgentState;
  slug: string;
  url: string;
  api: Api;
  mcp: FakeMcp;
  model: ScriptedModel;
}): Promise<{ state: AgentState; run: StateRun & { thread: string; slug: string } }> {
  const { state, slug, url, api, mcp, model } = o;
  const { thread } = await api.json<{ thread: { slug: string } }>(
    "POST",
    `/workspace/${slug}/thread/new`,
  );
  const reader = new RunReader(url);
  reader.ask(slug, thread.slug, `state:${state.name}`);
  const attempts = model.attemptsOf(state.name);
  return {
    state,
    run: {
      name: state.name,
      api,
      mcp,
      reader,
      attempts,
      repliedTo: new Set(),
      thread: thread.slug,
      slug,
    },
  };
}

async function openSocket(api: Api, slug: string): Promise<AgentClient> {
  const { uuid } = await callAgent(api, slug, `@agent state:${socketState}`);
  const client = new AgentClient(api.url, uuid!);
  await client.until("toolApprovalRequest");
  return client;
}

async function judge(
  state: AgentState,
  run: StateRun & { thread: string; slug: string },
  model: ScriptedModel,
): Promise<string[]> {
  const { reader, mcp, api } = run;
  try {
    await waitFor(() => reader.hasEnded, { what: "its end", timeoutMs });
  } catch (error) {
    return [...reader.faults, String(error), JSON.stringify([...reader.steps.values()])];
  }
  const faults = [...reader.faults];
  const expect = (what: string, actual: unknown, expected: unknown): void => {
    if (JSON.stringify(actual) !== JSON.stringify(expected))
      faults.push(`${what}: ${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}`);
  };
  if (state.isBrokenOff) {
    if (!/text so far/i.test(reader.error ?? "")) faults.push(`notice: ${reader.error}`);
    if (!/^Half of an/.test(reader.text)) faults.push(`text: ${reader.text}`);
  } else {
    expect("error", reader.error, null);
    expect("text", reader.text, "Done.");
  }
  expect(
    "steps",
    [...reader.steps.values()].map(({ state: each, fault }) => ({
      state: each,
      ...(fault !== null && { fault: fault.code }),
    })),
    state.steps,
  );
  for (const [about, times] of Object.entries(state.calls))
    expect(`calls ${about}`, mcp.calls.filter((each) => each.about === about).length, times);
  if (state.told !== undefined && !model.hasRead(state.name, state.told))
    faults.push(`the model wasn't told "${state.told}"`);
  const { history } = await api.json<{ history: { role: string; content: string }[] }>(
    "GET",
    `/workspace/${run.slug}/thread/${run.thread}/chats`,
  );
  expect("stored", history.at(-1)?.content, reader.text);
  return faults;
}

/** The client isn't asked again, and its decision counts. */
async function judgeSocket(client: AgentClient, mcp: FakeMcp): Promise<string[]> {
  const [asked, ...more] = client.frames.filter(({ type }) => type === "toolApprovalRequest");
  client.send({ type: "toolApprovalResponse", requestId: asked!.requestId, approved: true });
  await waitFor(() => client.frames.some(({ type }) => type === "WAITING_ON_INPUT"), {
    what: "the answer at the socket",
    timeoutMs,
  });
  client.close();
  await client.ended();
  const calls = mcp.calls.filter(({ about }) => about === "by-socket").length;
  const text = streamedText(client.frames);
  return [
    ...(more.length === 0 ? [] : ["socket: asked twice"]),
    ...(calls === 1 ? [] : [`socket: ${calls} calls`]),
    ...(text === "Done." ? [] : [`socket: ${text}`]),
  ];
}
