import { once } from "node:events";
import { startFakeLlm, startTestInstance, type FakeLlm, type Instance } from "@carrel/testing";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { AgentClient, callAgent, seenIn2025, streamedText } from "./agent-client.ts";
import { Api } from "./api.ts";

const form = { name: "ask-person", input: { questions: [{ question: "Which harbour?" }] } };
const chart = {
  name: "create-chart",
  input: { type: "bar", title: "Boats", rows: [{ name: "May", boats: 4 }] },
};

describe("agents' sessions where nobody replies", () => {
  let started: Instance;
  let llm: FakeLlm;
  let api: Api;
  let slug: string;
  beforeAll(async () => {
    llm = await startFakeLlm();
    started = await startTestInstance({
      CARREL_AGENT_WAIT_SECONDS: "1",
      CARREL_AGENT_IDLE_SECONDS: "2",
      CARREL_SETTING_LLMProvider: "generic-openai",
      CARREL_SETTING_GenericOpenAiBasePath: `${llm.url}/v1`,
      CARREL_SETTING_GenericOpenAiModelPref: "fake-model",
      CARREL_SETTING_GenericOpenAiTokenLimit: "8192",
    });
    api = new Api(started.url);
    await api.json("POST", "/admin/system-preferences", {
      default_agent_skills: "create-chart",
      agent_clarifying_questions_enabled: true,
      agent_skill_rules: { "create-chart": "ask" },
    });
    ({ slug } = await api.makeWorkspace("Limits"));
  });
  afterAll(async () => {
    await started?.stop();
    await llm?.stop();
  });

  const call = async (): Promise<string> => (await callAgent(api, slug, "@agent Go on.")).uuid!;

  it("a client of 2025 can't be asked: the call is denied in time, and it reads why", async () => {
    llm.next({ toolCalls: [chart] }, { reply: "I couldn't draw it." });
    const client = new AgentClient(started.url, await call());
    const { messages, thoughts, charts } = seenIn2025(await client.until("WAITING_ON_INPUT"));
    expect(messages).toEqual(["I couldn't draw it."]);
    expect(charts).toEqual([]);
    expect(thoughts).toContainEqual(expect.stringMatching(/^create-chart: .*timed out/));
    expect(JSON.stringify(llm.requests.at(-1)!.body)).toContain(
      "Nobody approved this call in time.",
    );
    client.close();
    await client.ended();
  });

  it("a form counts as skipped", async () => {
    llm.next({ toolCalls: [form] }, { reply: "Then without." });
    const client = new AgentClient(started.url, await call());
    expect(streamedText(await client.until("WAITING_ON_INPUT"))).toBe("Then without.");
    expect(JSON.stringify(llm.requests.at(-1)!.body)).toContain("(not answered)");
    client.close();
    await client.ended();
  });

  it("an idle session ends, but not while its client writes or reads", async () => {
    llm.next({ reply: "One." }, { reply: "Two, in a few words.", delayMs: 700 });
    const uuid = await call();
    const client = new AgentClient(started.url, uuid);
    await client.until("WAITING_ON_INPUT");
    client.say("Go on.");
    // Longer than a session waits for a reply.
    expect(streamedText(await client.until("WAITING_ON_INPUT"))).toBe("Two, in a few words.");
    expect(await client.ended()).toBe(1_000);
    const again = new AgentClient(started.url, uuid);
    expect(await again.until("wssFailure")).toEqual([
      { type: "wssFailure", content: "This agent invocation is already closed" },
    ]);
    await again.ended();
  });

  it("the product stops in time, whatever its agents do", async () => {
    llm.next({ toolCalls: [form] }, { reply: "A long answer of several words.", delayMs: 5_000 });
    const asking = new AgentClient(started.url, await call());
    await asking.until("clarificationRequest");
    await asking.until("reportStreamEvent");
    const exit = once(started.process, "exit");
    const stoppedAt = Date.now();
    started.process.kill("SIGTERM");
    expect(await asking.ended()).toBe(1_001);
    expect((await exit)[0]).toBe(0);
    expect(Date.now() - stoppedAt).toBeLessThan(20_000);
  });
});
