import {
  createMemory,
  inspectTurn,
  listMemories,
  memoryLabels,
  settingsChanged,
  tryRetrieval,
  type Inspection,
  type MemoryWire,
  type Principal,
  type WorkspaceScope,
} from "@carrel/contracts";
import { waitFor, poll } from "@carrel/testing";
import { ChatInstance } from "../../test/chat-instance.ts";
import { passageOf } from "../../test/factories/passage.ts";

let chat: ChatInstance;
beforeAll(async () => {
  chat = await ChatInstance.start();
  await chat.startReplica();
});
afterAll(() => chat.stop());
beforeEach(async () => {
  chat.llm.behave({ reply: "It runs at 48 °C [1]." });
  await set({ memory_enabled: "true", memory_auto_extraction: "true" });
});

const person = (userId: number): Principal => ({ kind: "user", userId, role: "default" });
const codeOf = (reply: Promise<unknown>): Promise<string | null> =>
  reply.then(
    () => null,
    ({ code }: { code: string }) => code,
  );
/**
 * Simulates a settings change announced by the workspace service. Toggles memories first: once the
 * toggle back is visible, all values are known to be current.
 */
async function set(values: Record<string, string>): Promise<void> {
  const wanted = values.memory_enabled ?? chat.fixture.values.memory_enabled!;
  for (const memory_enabled of [wanted === "true" ? "false" : "true", wanted]) {
    chat.fixture.values = { ...chat.fixture.values, ...values, memory_enabled };
    await chat.shared.messaging.broadcast.publish(`event:${settingsChanged.name}`, {
      keys: [...memoryLabels],
    });
    const probe = chat.addWorkspace();
    await poll(() => codeOf(list(probe))).toBe(
      memory_enabled === "true" ? null : "memory.disabled",
    );
  }
}
const list = async (
  scope: WorkspaceScope,
): Promise<{ global: MemoryWire[]; workspace: MemoryWire[] }> =>
  (await chat.request(listMemories, { slug: scope.workspace.slug }, scope)).memories;
const add = async (
  scope: WorkspaceScope,
  content: string,
  place: "global" | "workspace" = "workspace",
): Promise<MemoryWire> =>
  (await chat.request(createMemory, { slug: scope.workspace.slug, content, scope: place }, scope))
    .memory;
interface Body {
  messages: { role: string; content: string }[];
}
const systemOf = (): string =>
  (chat.llm.requests.at(-1)!.body as unknown as Body).messages[0]!.content;

describe("memories in the prompt", () => {
  it("come between the system prompt and the context: the user's global ones and the workspace's", async () => {
    const base = chat.addWorkspace({ openAiPrompt: "Be brief." }, [passageOf()]);
    const scope = chat.as(base, person(10));
    await add(scope, "Works as a plumber. {date}");
    await add(scope, "Likes\ntea.", "global");
    await add(chat.as(chat.addWorkspace(), person(10)), "Elsewhere.");
    await add(chat.as(base, person(11)), "Of somebody else.", "global");
    chat.fixture.variables = { date: "Saturday" };
    await chat.ask(scope, "What is the flow temperature of the pump?");
    expect(systemOf()).toMatch(
      /^Be brief\.\n\nWhat is known of the person who asks[^\n]*:\n- Likes tea\.\n- Works as a plumber\. \{date\}\n\nEach context block [^\n]*\nContext:\n\[CONTEXT 1\]:/,
    );
    expect(systemOf()).not.toMatch(/Elsewhere|somebody else/);
    // The last use is written asynchronously after the answer.
    await poll(async () => {
      const { global, workspace } = await list(scope);
      return [...global, ...workspace].map(({ lastUsedAt }) => lastUsedAt);
    }).toEqual([expect.any(String), expect.any(String)]);
    const [unchanged] = (await list(scope)).workspace;
    expect(unchanged!.updatedAt).toBe(unchanged!.createdAt);
    expect((await list(chat.as(base, person(11)))).global).toMatchObject([{ lastUsedAt: null }]);
  });

  it("are left out while switched off, for API keys, and without a model", async () => {
    const base = chat.addWorkspace({}, [passageOf()]);
    await add(base, "Of the instance.", "global");
    const [key, extension]: Principal[] = [
      { kind: "key", userId: null, role: "admin", keyId: 1 },
      { kind: "extension", userId: null, role: "admin", keyId: 2 },
    ];
    for (const principal of [key!, extension!]) {
      await chat.ask(chat.as(base, principal), "What is the flow temperature of the pump?");
      expect(systemOf()).not.toContain("Of the instance.");
    }
    await set({ memory_enabled: "false" });
    await chat.ask(base, "What is the flow temperature of the pump?");
    expect(systemOf()).not.toMatch(/Of the instance|What is known of the person/);
    await set({ memory_enabled: "true" });
    await chat.ask(base, "What is the flow temperature of the pump?");
    expect(systemOf()).toContain("\n- Of the instance.\n");
    const asked = chat.llm.requests.length;
    await chat.setWorkspace(base, { chatProvider: "extractive" });
    await chat.ask(base, "What is the flow temperature of the pump?");
    expect(chat.llm.requests).toHaveLength(asked);
  });

  it("are a separate part of the inspection and of a retrieval trial", async () => {
    const scope = chat.as(chat.addWorkspace({}, [passageOf()]), person(20));
    const tokensOf = ({ prompt }: Inspection): Record<string, number> => prompt!.tokens;
    const inspect = async (): Promise<Inspection> => {
      const { chatId } = await chat.ask(scope, "What is the flow temperature of the pump?");
      return waitFor(
        async () =>
          (await chat.request(inspectTurn, { slug: scope.workspace.slug, chatId }, scope))
            .inspection,
        { what: "the inspection" },
      );
    };
    expect(tokensOf(await inspect()).memories).toBe(0);
    for (let index = 0; index < 10; index += 1)
      await add(
        scope,
        `Memory ${index}: the person likes to be told everything twice, and then once more.`,
      );
    const tokens = tokensOf(await inspect());
    expect(tokens.memories).toBeGreaterThan(80);
    expect(tokens.total).toBe(
      Object.entries(tokens).reduce((sum, [part, each]) => sum + (part === "total" ? 0 : each), 0),
    );
    const { inspection } = await chat.request(
      tryRetrieval,
      { slug: scope.workspace.slug, question: "What is the flow temperature?" },
      { ...scope, principal: { ...scope.principal, role: "manager" } },
    );
    expect(tokensOf(inspection).memories).toBeGreaterThan(80);
  });

  it("are limited in a small window, newest first", async () => {
    const { values } = chat.fixture;
    chat.fixture.values = {
      ...values,
      GenericOpenAiTokenLimit: "2048",
      GenericOpenAiMaxTokens: "1024",
    };
    const scope = chat.as(
      chat.addWorkspace({ chatModel: "small-model" }, [passageOf()]),
      person(21),
    );
    await set({});
    try {
      for (let index = 0; index < 20; index += 1)
        await add(
          scope,
          `Memory ${index}: ${"the person likes to be told everything twice. ".repeat(2)}`,
        );
      await chat.ask(scope, "What is the flow temperature of the pump?");
      expect(systemOf()).toContain("[CONTEXT 1]");
      const included = [...systemOf().matchAll(/\n- Memory (\d+):/g)].map(([, number]) =>
        Number(number),
      );
      expect(included.length).toBeGreaterThan(0);
      expect(included.length).toBeLessThan(5);
      expect(included).toEqual([19, 18, 17, 16].slice(0, included.length));
      await poll(async () =>
        (await list(scope)).workspace.filter(({ lastUsedAt }) => lastUsedAt !== null),
      ).toHaveLength(included.length);
    } finally {
      chat.fixture.values = values;
    }
  });
});
