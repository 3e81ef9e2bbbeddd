import { poll, startFakeLlm, startTcpProxy, type FakeLlm, type Instance } from "@carrel/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import {
  AgentClient,
  callAgent,
  seenIn2025,
  streamedText,
  type AgentFrame,
} from "../agent-client.ts";
import { Api } from "../api.ts";

const chart = {
  name: "create-chart",
  input: { type: "bar", title: "Boats", rows: [{ name: "May", boats: 4 }] },
};
const csv = "month,boats\nMay,4\n";
const file = { name: "create-text-file", input: { name: "boats.csv", content: csv } };
const form = {
  name: "ask-person",
  input: { questions: [{ question: "Which harbour?" }, { question: "Which year?" }] },
};

export function testAgentSteps(instance: () => Instance): void {
  describe("steps of agents as existing clients see them", () => {
    let llm: FakeLlm;
    let api: Api;
    let slug: string;
    const prefer = (preferences: Record<string, unknown>): Promise<unknown> =>
      api.json("POST", "/admin/system-preferences", preferences);
    beforeAll(async () => {
      llm = await startFakeLlm();
      api = new Api(instance().url);
      await api.json("POST", "/system/update-env", {
        LLMProvider: "generic-openai",
        GenericOpenAiBasePath: `${llm.url}/v1`,
        GenericOpenAiModelPref: "fake-model",
        GenericOpenAiTokenLimit: "8192",
      });
      await prefer({
        default_agent_skills: "create-chart,create-files-agent",
        agent_clarifying_questions_enabled: true,
        agent_skill_rules: { "create-chart": "ask" },
      });
    });
    // Answers of one thread wait for each other.
    beforeEach(async () => {
      ({ slug } = await api.makeWorkspace("Steps"));
    });
    afterAll(async () => {
      await prefer({
        default_agent_skills: "",
        agent_clarifying_questions_enabled: false,
        agent_skill_rules: {},
      });
      await llm?.stop();
    });

    const open = async (message = "@agent Go on."): Promise<AgentClient> =>
      new AgentClient(api.url, (await callAgent(api, slug, message)).uuid!);
    const end = async (client: AgentClient): Promise<void> => {
      client.say("/exit");
      expect(await client.ended()).toBe(1_000);
    };
    const decide = (client: AgentClient, asked: AgentFrame, approved: boolean): void =>
      client.send({ type: "toolApprovalResponse", requestId: asked.requestId, approved });
    const ofType = (frames: readonly AgentFrame[], type: string): AgentFrame[] =>
      frames.filter((frame) => frame.type === type);
    /** The tools that the model was last offered. */
    const offered = (): string[] =>
      (llm.requests.at(-1)!.body as { tools: { function: { name: string } }[] }).tools.map(
        (tool) => tool.function.name,
      );

    it("asks for an approval, makes the chart once it is given, and not if it is denied", async () => {
      llm.next({ toolCalls: [chart] }, { reply: "There." });
      const client = await open();
      const request = (await client.until("toolApprovalRequest")).at(-1)!;
      expect(request).toMatchObject({
        skillName: "create-chart",
        payload: { title: "Boats", type: "bar" },
        description: expect.stringContaining("admin"),
      });
      expect(request.timeoutMs).toBeGreaterThan(60_000);
      expect(request.timeoutMs).toBeLessThanOrEqual(120_000);
      decide(client, { requestId: `${request.requestId}1` }, true);
      decide(client, request, true);
      const shown = await client.until("WAITING_ON_INPUT");
      expect(streamedText(shown)).toBe("There.");
      const [visual] = ofType(shown, "rechartVisualize");
      expect(visual!.content).toMatchObject({ type: "bar", title: "Boats" });
      expect(JSON.parse((visual!.content as { dataset: string }).dataset)).toEqual([
        { name: "May", boats: 4 },
      ]);

      llm.next({ toolCalls: [chart] }, { reply: "As you like." });
      client.say("Again.");
      decide(client, (await client.until("toolApprovalRequest")).at(-1)!, false);
      const denied = await client.until("WAITING_ON_INPUT");
      expect(ofType(denied, "rechartVisualize")).toEqual([]);
      expect(seenIn2025(denied).thoughts).toContainEqual(
        expect.stringMatching(/^create-chart: .*denied/i),
      );
      expect(JSON.stringify(llm.requests.at(-1)!.body)).toContain("The person denied this call.");
      await end(client);
    });

    it("asks what the agent wants to know, and takes answers and skipped questions", async () => {
      llm.next({ toolCalls: [form] }, { reply: "Thanks." });
      const client = await open();
      const asked = (await client.until("clarificationRequest")).at(-1)!;
      expect(asked).toMatchObject({
        allowSkip: true,
        questions: [
          { kind: "input", question: "Which harbour?", inputType: "text" },
          { question: "Which year?" },
        ],
      });
      client.send({
        type: "clarificationResponse",
        requestId: asked.requestId,
        skipped: false,
        answers: [
          { skipped: false, answer: "Leith" },
          { skipped: true, answer: null },
        ],
      });
      expect(streamedText(await client.until("WAITING_ON_INPUT"))).toBe("Thanks.");
      expect(JSON.stringify(llm.requests.at(-1)!.body)).toContain(
        String.raw`Which harbour?\nLeith\n\nWhich year?\n(not answered)`,
      );
      await end(client);
    });

    it("sends a file as a card and, for clients of 2025, with its bytes", async () => {
      llm.next({ toolCalls: [file] }, { reply: "It is ready." });
      const client = await open();
      const frames = await client.until("WAITING_ON_INPUT");
      const [card] = ofType(frames, "fileDownloadCard");
      const { storageFilename, fileSize } = card!.content as {
        storageFilename: string;
        fileSize: number;
      };
      const saved = await api.call("GET", `/agent-skills/generated-files/${storageFilename}`);
      expect({ text: saved.text, fileSize }).toEqual({ text: csv, fileSize: csv.length });

      const { messages, files } = seenIn2025(frames);
      expect(messages).toEqual(["It is ready."]);
      expect(files).toMatchObject([{ filename: "boats.csv" }]);
      // Such a client opens it as a link.
      expect(await (await fetch(files[0]!.b64Content)).text()).toBe(csv);
      await end(client);
    });

    it("shows a client of 2025 all it knows", async () => {
      await prefer({ agent_skill_rules: {} });
      llm.next(
        { toolCalls: [chart], reply: "Let me draw." },
        { reasoning: ["Hm."], reply: "Four." },
      );
      const client = await open();
      const first = seenIn2025(await client.until("WAITING_ON_INPUT"));
      expect(first.messages).toEqual(["Let me draw.\n\nFour."]);
      expect(first.thoughts).toEqual(["@agent calls create-chart: Boats"]);
      expect(first.charts).toHaveLength(1);
      llm.next({ reply: "Five." });
      client.say("And in June?");
      expect(seenIn2025(await client.until("WAITING_ON_INPUT")).messages).toEqual(["Five."]);
      client.say("exit");
      expect(await client.ended()).toBe(1_000);
      await prefer({ agent_skill_rules: { "create-chart": "ask" } });
    });

    it("asks again after a lost connection, and nothing is lost", async () => {
      const proxy = await startTcpProxy(api.url);
      const { uuid } = await callAgent(api, slug, "@agent Go on.");
      llm.next({ toolCalls: [file, chart], reply: "Both." }, { reply: "There." });
      const lost = new AgentClient(proxy.url, uuid!);
      const asked = (await lost.until("toolApprovalRequest")).at(-1)!;
      await proxy.cut();
      await lost.ended();
      const client = new AgentClient(api.url, uuid!);
      const replayed = await client.until("toolApprovalRequest");
      expect(replayed.at(-1)).toMatchObject({ requestId: asked.requestId });
      decide(client, asked, true);
      const frames = [...replayed, ...(await client.until("WAITING_ON_INPUT"))];
      expect(streamedText(frames)).toBe("Both.\n\nThere.");
      expect(ofType(frames, "fileDownloadCard")).toHaveLength(1);
      expect(ofType(frames, "rechartVisualize")).toHaveLength(1);
      await end(client);
    });

    it("asks what was written during an answer next, in order", async () => {
      let finish: () => void = () => undefined;
      const after = new Promise<void>((resolve) => {
        finish = resolve;
      });
      llm.next({ reply: "One.", after }, { reply: "Two." }, { reply: "Three." });
      const client = await open();
      client.say("Second?");
      client.say("Third?");
      finish();
      const texts: string[] = [];
      for (let turn = 0; turn < 3; turn += 1)
        texts.push(streamedText(await client.until("WAITING_ON_INPUT")));
      expect(texts).toEqual(["One.", "Two.", "Three."]);
      await end(client);
    });

    it("ends the answer with its session, whatever the agent is doing, and keeps it for the app only", async () => {
      const writing = await open("@agent Write.");
      llm.next({ tokens: 20_000, delayMs: 20 });
      await writing.until("reportStreamEvent");
      await end(writing);
      llm.next({ toolCalls: [chart], reply: "Let me draw." });
      const asking = await open("@agent Draw.");
      await asking.until("toolApprovalRequest");
      // A client that closes its connection means the same.
      asking.close();
      await asking.ended();
      await poll(() => llm.openStreams()).toBe(0);
      type Turns = { turns: { question: string; answer: string }[] };
      await poll(async () =>
        (await api.json<Turns>("GET", `/workspace/${slug}/turns`)).turns.flatMap(
          ({ question, answer }) => [question, answer],
        ),
      ).toEqual(["@agent Write.", expect.stringMatching(/^The /), "@agent Draw.", "Let me draw."]);
      expect(await api.json("GET", `/workspace/${slug}/chats`)).toEqual({ history: [] });
    });

    it("lets tools be switched for the rest of the session", async () => {
      llm.next({ reply: "One." });
      const client = await open();
      await client.until("WAITING_ON_INPUT");
      expect(offered()).toEqual(expect.arrayContaining(["create-chart", "create-text-file"]));
      const toggle = (skill: string, enabled: boolean): void =>
        client.send({ type: "agentToolToggle", skill, enabled, serverName: null });
      toggle("create-chart", false);
      toggle("create-text-file", false);
      toggle("code-interpreter", true);
      llm.next({ reply: "Two." });
      client.say("And now?");
      await client.until("WAITING_ON_INPUT");
      expect(offered()).toEqual(expect.arrayContaining(["create-pdf-file", "run-code"]));
      expect(offered()).not.toContain("create-chart");
      expect(offered()).not.toContain("create-text-file");
      toggle("create-chart", true);
      llm.next({ reply: "Three." });
      client.say("And now?");
      await client.until("WAITING_ON_INPUT");
      expect(offered()).toContain("create-chart");
      await end(client);

      llm.next({ reply: "Hello." });
      const other = await open();
      await other.until("WAITING_ON_INPUT");
      expect(offered()).not.toContain("run-code");
      await end(other);
    });
  });
}
