import { startFakeLlm, startTcpProxy, type FakeLlm, type Instance } from "@carrel/testing";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { AgentClient, callAgent, streamedText } from "../agent-client.ts";
import { Api } from "../api.ts";

const unknown = "9d4c1c0e-5f0f-4b57-9a68-0d6d7f3a2b10";

export function testAgentSocket(instance: () => Instance): void {
  describe("agents of existing clients", () => {
    let llm: FakeLlm;
    let api: Api;
    let slug: string;
    beforeAll(async () => {
      llm = await startFakeLlm();
      api = new Api(instance().url);
      await api.json("POST", "/system/update-env", {
        LLMProvider: "generic-openai",
        GenericOpenAiBasePath: `${llm.url}/v1`,
        GenericOpenAiModelPref: "fake-model",
        GenericOpenAiTokenLimit: "8192",
      });
      ({ slug } = await api.makeWorkspace("Agents"));
    });
    afterAll(() => llm?.stop());

    const open = (uuid: string, headers?: Record<string, string>) =>
      new AgentClient(instance().url, uuid, headers);
    const call = async (message: string): Promise<string> =>
      (await callAgent(api, slug, message)).uuid!;
    const history = async () =>
      (
        await api.json<{ history: { role: string; content: string; chatId?: number }[] }>(
          "GET",
          `/workspace/${slug}/chats`,
        )
      ).history;

    it("hands over, answers, goes on and ends like the wire says", async () => {
      const { uuid, frames } = await callAgent(api, slug, "@agent When is high tide?");
      expect(frames).toEqual([
        expect.objectContaining({
          type: "agentInitWebsocketConnection",
          websocketUUID: uuid,
          close: false,
        }),
        expect.objectContaining({ type: "statusResponse", animate: true, close: true }),
      ]);
      llm.next(
        { reply: "Let me look.", toolCalls: [{ name: "tide-table", input: { port: "Leith" } }] },
        { reasoning: ["Hm."], reply: "At noon." },
      );
      const client = open(uuid!);
      client.send("not JSON");
      client.send({ type: "unheard" });
      const first = await client.until("WAITING_ON_INPUT");
      expect(streamedText(first)).toContain("At noon.");
      const kinds = first.map(({ type, content }) =>
        type === "reportStreamEvent" ? (content as { type: string }).type : (type ?? "plain"),
      );
      expect(kinds).toContain("toolCallInvocation");
      expect(kinds.filter((kind) => !kind.endsWith("Chunk")).slice(-4)).toEqual([
        "usageMetrics",
        "chatId",
        "plain",
        "WAITING_ON_INPUT",
      ]);
      expect(first.find(({ from }) => from === "@agent")).toMatchObject({
        to: "USER",
        state: "success",
        content: expect.stringMatching(/At noon\.$/),
      });

      llm.next({ reply: "At midnight." });
      client.say("And low tide?");
      expect(streamedText(await client.until("WAITING_ON_INPUT"))).toBe("At midnight.");
      client.say("/img a boat");
      expect(await client.until("WAITING_ON_INPUT")).toContainEqual(
        expect.objectContaining({ type: "statusResponse" }),
      );
      expect(
        (await history()).filter(({ role }) => role === "user").map(({ content }) => content),
      ).toEqual(["When is high tide?", "And low tide?"]);

      client.say("/exit");
      expect(await client.ended()).toBe(1_000);
      const again = open(uuid!);
      expect(await again.until("wssFailure")).toEqual([
        { type: "wssFailure", content: "This agent invocation is already closed" },
      ]);
      await again.ended();
    });

    it("has one connection, and loses nothing with it", async () => {
      const proxy = await startTcpProxy(instance().url);
      const uuid = await call("@agent Say hello.");
      let finish: () => void = () => undefined;
      const after = new Promise<void>((resolve) => {
        finish = resolve;
      });
      llm.next({ toolCalls: [{ name: "wave", input: {} }] }, { reply: "Hello.", after });
      const lost = new AgentClient(proxy.url, uuid);
      await lost.until("statusResponse");
      const second = open(uuid);
      expect(await second.until("wssFailure")).toHaveLength(1);
      await second.ended();
      await proxy.cut();
      expect(await lost.ended()).toBe(1_006);
      finish();
      const client = open(uuid);
      const replayed = await client.until("WAITING_ON_INPUT");
      expect(replayed[0]).toMatchObject({ content: { type: "removeStatusResponse" } });
      expect(streamedText(replayed)).toBe("Hello.");
      llm.next({ reply: "Still here." });
      client.say("Are you there?");
      expect(streamedText(await client.until("WAITING_ON_INPUT"))).toBe("Still here.");
      client.say("stop");
      await client.ended();
    });

    it("refuses unknown sessions, other sites' pages and addresses without one", async () => {
      const stranger = open(unknown);
      expect(await stranger.until("wssFailure")).toHaveLength(1);
      await stranger.ended();
      const uuid = await call("@agent Say hello.");
      const foreign = open(uuid, { origin: "https://evil.example" });
      await foreign.ended();
      expect(foreign.frames).toEqual([]);
      const plain = await api.call("GET", `/agent-invocation/${uuid}`);
      expect(plain.status).toBe(404);
      // Nothing of that used the session up.
      llm.next({ reply: "Hello." });
      const client = open(uuid);
      expect(streamedText(await client.until("WAITING_ON_INPUT"))).toBe("Hello.");
      client.close();
      await client.ended();
    });

    it("hands every message of an automatic workspace over, but not commands", async () => {
      const { slug: automatic } = await api.makeWorkspace("Automatic");
      await api.json("POST", `/workspace/${automatic}/update`, { chatMode: "automatic" });
      const { uuid } = await callAgent(api, automatic, "When is high tide?");
      llm.next({ reply: "At noon." });
      const client = open(uuid!);
      expect(streamedText(await client.until("WAITING_ON_INPUT"))).toBe("At noon.");
      client.say("halt");
      await client.ended();
      expect((await callAgent(api, automatic, "/reset")).frames).toMatchObject([
        { action: "reset_chat" },
      ]);
    });

    it("tells the client why an answer failed", async () => {
      const uuid = await call("@agent Say hello.");
      llm.next({ status: 401 });
      const client = open(uuid);
      expect((await client.until("wssFailure")).at(-1)?.content).toMatch(/key/i);
      await client.ended();
    });

    it("answers @agent as usual where there is no model", async () => {
      const { slug: plain } = await api.makeWorkspace("Quotes");
      await api.json("POST", `/workspace/${plain}/update`, { chatProvider: "extractive" });
      const { uuid, frames } = await callAgent(api, plain, "@agent When is high tide?");
      expect(uuid).toBeNull();
      expect(frames.filter(({ type }) => type === "statusResponse")).toHaveLength(1);
    });
  });
}
