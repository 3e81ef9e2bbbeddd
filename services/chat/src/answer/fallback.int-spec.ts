import {
  eventLogged,
  fallbackModelsLabel,
  settingsChanged,
  type EventPayload,
  type FallbackModels,
  type WorkspaceScope,
  type WorkspaceWire,
} from "@carrel/contracts";
import { poll } from "@carrel/testing";
import { startChat, user } from "../../test/chat-suite.ts";
import { fullText } from "../../test/factories/full-text.ts";
import { passageOf } from "../../test/factories/passage.ts";
import { textOf, wireFrames } from "../../test/received-frame.ts";

const { chat } = await startChat("It runs at 48 °C [1].");

const vendor = "generic-openai";
const spare: FallbackModels = [{ provider: vendor, model: "spare-model" }];
let tests = 0;
/** Each test uses its own models, because a failed one isn't asked for a while. */
const named = (name: string): string => `${name}-${tests}`;
beforeEach(() => {
  tests += 1;
});

function workspaceWith(
  fallbacks: FallbackModels | null,
  part: Partial<WorkspaceWire>,
): WorkspaceScope {
  const scope = chat.addWorkspace(part, [passageOf()]);
  if (fallbacks !== null) chat.fixture.fallbackModels.set(scope.workspace.id, fallbacks);
  return chat.as(scope, user(700 + tests));
}
const busyWorkspace = (fallbacks: FallbackModels | null): WorkspaceScope =>
  workspaceWith(fallbacks, { chatProvider: vendor, chatModel: named("busy") });

/** Asks, and returns the models that were called, the text and the end of the stream. */
async function ask(scope: WorkspaceScope, question = "How warm is it?") {
  const before = chat.llm.requests.length;
  const { frames } = await chat.ask(scope, question);
  const called = chat.llm.requests.slice(before).map(({ body }) => body.model);
  const wire = wireFrames(frames);
  return {
    called,
    text: textOf(frames),
    words: JSON.stringify(frames.map(({ frame }) => frame)),
    error: wire.find(({ type }) => type === "abort")?.error,
    metrics: wire.at(-1)?.metrics as { model?: string } | undefined,
  };
}

const logged: EventPayload<typeof eventLogged>[] = [];
beforeAll(() => {
  chat.shared.messaging.broadcast.on(`event:${eventLogged.name}`, (payload) =>
    logged.push(payload as EventPayload<typeof eventLogged>),
  );
});
const fallbackEvents = ({ principal }: WorkspaceScope) =>
  logged.filter(({ event, userId }) => event === "model_fallback" && userId === principal.userId);

describe("when a model can't answer", () => {
  it.each([
    ["is overloaded", { status: 503 }],
    ["has reached its limit", { status: 429, retryAfter: 60 }],
    ["rejects the key", { status: 401 }],
    ["breaks off before it says anything", { breakAfter: 0 }],
  ])(
    "because it %s, the next one does, says so, and is asked first for a while",
    async (_what, fault) => {
      const scope = busyWorkspace([{ provider: vendor, model: named("spare") }]);
      chat.llm.next(fault, ...("status" in fault && fault.status === 503 ? [fault] : []));
      const first = await ask(scope);
      expect(first.called.at(0)).toBe(named("busy"));
      expect(first.called.at(-1)).toBe(named("spare"));
      expect(first.text).toContain("48 °C");
      expect(first.error).toBeUndefined();
      expect(first.metrics).toMatchObject({ model: named("spare") });
      expect(first.words).toContain(`${named("busy")} couldn't answer, so ${named("spare")} did.`);
      expect((await ask(scope)).called).toEqual([named("spare")]);
      await poll(() => fallbackEvents(scope)).toMatchObject([
        {
          metadata: {
            unavailable: named("busy"),
            model: named("spare"),
            workspaceSlug: scope.workspace.slug,
            reason: expect.any(String),
          },
        },
      ]);
    },
  );

  it("because its key is missing or its server is down, the next one does", async () => {
    for (const chatProvider of ["openai", "ollama"]) {
      const { called, text, words } = await ask(workspaceWith(spare, { chatProvider }));
      expect(called).toEqual(["spare-model"]);
      expect(text).toContain("48 °C");
      expect(words).toContain("couldn't answer, so spare-model did.");
    }
  });

  it("the instance's list applies, unless the workspace has its own", async () => {
    chat.fixture.values = {
      ...chat.fixture.values,
      [fallbackModelsLabel]: JSON.stringify([{ provider: vendor, model: named("instance") }]),
    };
    await chat.shared.messaging.broadcast.publish(`event:${settingsChanged.name}`, {
      keys: [fallbackModelsLabel],
    });
    const follows = workspaceWith(null, { chatProvider: "openai" });
    await poll(async () => (await ask(follows)).called).toEqual([named("instance")]);
    const none = await ask(workspaceWith([], { chatProvider: "openai" }));
    expect(none.called).toEqual([]);
    expect(none.error).toMatch(/key is set for OpenAI/);
    const own = await ask(workspaceWith(spare, { chatProvider: "openai" }));
    expect(own.called).toEqual(["spare-model"]);
    delete chat.fixture.values[fallbackModelsLabel];
  });

  it("the built-in answerer can be the last resort", async () => {
    const scope = workspaceWith([{ provider: "extractive", model: null }], {
      chatProvider: "ollama",
    });
    const { called, text, metrics } = await ask(scope, "Do most radiators cover the room load?");
    expect(called).toEqual([]);
    expect(text).toContain("48 °C");
    expect(metrics).toMatchObject({ model: "extractive" });
    expect((await ask(scope, "Who sells bicycles?")).text).toMatch(/^I found nothing/);
  });

  it("a larger one gets the pinned text that the first has no room for", async () => {
    Object.assign(chat.fixture.values, {
      OllamaLLMTokenLimit: "2048",
      GenericOpenAiTokenLimit: "32000",
    });
    await chat.shared.messaging.broadcast.publish(`event:${settingsChanged.name}`, {
      keys: ["OllamaLLMTokenLimit", "GenericOpenAiTokenLimit"],
    });
    const scope = workspaceWith(spare, { chatProvider: "ollama" });
    const text = `${"The pump runs at night. ".repeat(1_000)}The valve is red.`;
    chat.fixture.fullTexts.set(scope.workspace.id, [fullText({ text })]);
    const { called, words } = await ask(scope, "Which colour has the valve?");
    expect(called).toEqual(["spare-model"]);
    expect(JSON.stringify(chat.llm.requests.at(-1)!.body)).toContain("The valve is red.");
    expect(words).not.toContain("this answer may be incomplete");
    delete chat.fixture.values.OllamaLLMTokenLimit;
    delete chat.fixture.values.GenericOpenAiTokenLimit;
  });

  it("nor can any other, its own error is shown", async () => {
    const { called, error } = await ask(
      workspaceWith([{ provider: "openai", model: null }], { chatProvider: "ollama" }),
    );
    expect(called).toEqual([]);
    expect(error).toMatch(/Ollama/);
  });

  it("after its first words, no other is asked", async () => {
    const scope = busyWorkspace(spare);
    chat.llm.next({ tokens: 10, delayMs: 5, breakAfter: 4 });
    const { called, text, error } = await ask(scope);
    expect(called).toEqual([named("busy")]);
    expect(text.trim()).toBe("The quick answer stands");
    expect(error).toEqual(expect.any(String));
  });

  it("because of the question, no other is asked", async () => {
    const scope = busyWorkspace(spare);
    chat.llm.next({ status: 400, error: { message: "Invalid value", type: "invalid_request" } });
    const { called, error } = await ask(scope);
    expect(called).toEqual([named("busy")]);
    expect(error).toEqual(expect.any(String));
  });
});
