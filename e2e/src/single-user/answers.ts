import { request } from "node:http";
import type { TurnWire } from "@carrel/contracts";
import { startFakeLlm, waitFor, type FakeLlm, type Instance } from "@carrel/testing";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { Api, parseFrames } from "../api.ts";

const key = "sk-very-secret-0123456789-abcdef";

/** A request that the test can cut off like a closed tab; `text` grows while it is read. */
function open(
  url: string,
  path: string,
  message: string,
  headers: Record<string, string>,
): { text(): string; close(): void } {
  let text = "";
  const outgoing = request(
    `${url}/api${path}`,
    { method: "POST", headers, agent: false },
    (incoming) => {
      incoming.on("data", (data: Buffer) => {
        text += data.toString();
      });
      incoming.on("error", () => {
        text += "";
      });
    },
  );
  outgoing.on("error", (error) => {
    if (!outgoing.destroyed) throw error;
  });
  outgoing.end(JSON.stringify({ message }));
  return { text: () => text, close: () => outgoing.destroy() };
}

export function testAnswers(instance: () => Instance): void {
  describe("model answers over HTTP", () => {
    let llm: FakeLlm;
    let api: Api;
    beforeAll(async () => {
      llm = await startFakeLlm({ apiKey: key });
      api = new Api(instance().url);
      const saved = await api.json<{ error: unknown }>("POST", "/system/update-env", {
        LLMProvider: "generic-openai",
        GenericOpenAiBasePath: `${llm.url}/v1`,
        GenericOpenAiKey: key,
        GenericOpenAiModelPref: "fake-model",
        GenericOpenAiTokenLimit: "8192",
      });
      expect(saved.error).toBe(false);
    });
    afterAll(async () => {
      await llm?.stop();
    });

    const ours = { "x-carrel-stream": "1" };
    const turnsOf = async (slug: string): Promise<TurnWire[]> =>
      (await api.json<{ turns: TurnWire[] }>("GET", `/workspace/${slug}/turns`)).turns;
    const historyOf = async (slug: string): Promise<{ role: string; content: string }[]> =>
      (
        await api.json<{ history: { role: string; content: string }[] }>(
          "GET",
          `/workspace/${slug}/chats`,
        )
      ).history;
    const idOf = (text: string): string => /"generationId":"([\w-]+)"/.exec(text)![1]!;

    it("replays the same bytes from any event id, and nothing after the last", async () => {
      const { slug } = await api.makeWorkspace("Resume");
      llm.behave({
        reply: Array.from({ length: 12 }, (_, n) => `Word ${n}, "quoted"\n`),
        delayMs: 25,
      });
      const whole = await api.call(
        "POST",
        `/workspace/${slug}/stream-chat`,
        { message: "Say some words." },
        ours,
      );
      const parts = whole.text.split(/(?<=\n\n)/);
      expect(parts.length).toBeGreaterThan(5);
      expect(parts.map((part) => Number(/^id: (\d+)\n/.exec(part)?.[1]))).toEqual(
        parts.map((_, n) => n + 1),
      );
      for (let after = 0; after <= parts.length; after += 1) {
        const again = await api.call("GET", `/generation/${idOf(whole.text)}/stream`, undefined, {
          ...ours,
          "last-event-id": String(after),
        });
        expect([after, again.text]).toEqual([after, parts.slice(after).join("")]);
      }
      // A client that only knows the wire gets its frames without our additions.
      const plain = await api.call("GET", `/generation/${idOf(whole.text)}/stream`);
      expect(plain.text).not.toMatch(/^id:|generationStarted|generationStage/m);
      expect(parseFrames(plain.text).at(-1)).toMatchObject({ type: "finalizeResponseStream" });
      const nobody = await api.call(
        "GET",
        "/generation/00000000-0000-4000-8000-000000000000/stream",
        undefined,
        ours,
      );
      expect(nobody.status).toBe(404);
    });

    it("stops on request, and keeps the text so far", async () => {
      const { slug } = await api.makeWorkspace("Stop");
      llm.behave({ tokens: 20_000, delayMs: 10 });
      const tab = open(instance().url, `/workspace/${slug}/stream-chat`, "Talk for long.", ours);
      await waitFor(async () => tab.text().split("textResponseChunk").length > 8);
      expect(await api.json("DELETE", `/generation/${idOf(tab.text())}`)).toEqual({
        success: true,
      });
      const [turn] = await waitFor(async () => {
        const turns = await turnsOf(slug);
        return turns[0]?.state === "cancelled" && turns;
      });
      expect(turn).toMatchObject({
        question: "Talk for long.",
        state: "cancelled",
        answer: expect.stringMatching(/^The quick answer/),
      });
      await waitFor(async () => tab.text().includes("finalizeResponseStream"));
      expect((await historyOf(slug)).at(-1)!.content).toBe(turn!.answer);
      await waitFor(async () => llm.openStreams() === 0);
      // Cancelling again isn't an error, and the thread accepts the next question.
      expect((await api.call("DELETE", `/generation/${idOf(tab.text())}`)).status).toBe(200);
      llm.behave({ reply: "Short." });
      expect((await api.ask(slug, "And now?")).text).toBe("Short.");
    });

    it("a closed tab of our app lets the answer finish", async () => {
      const { slug } = await api.makeWorkspace("Closed tab");
      llm.behave({ tokens: 300, delayMs: 10 });
      const tab = open(instance().url, `/workspace/${slug}/stream-chat`, "Go on without me.", ours);
      await waitFor(async () => tab.text().split("textResponseChunk").length > 4);
      tab.close();
      const running = await api.json<{ generation: { id: string } | null }>(
        "GET",
        `/workspace/${slug}/thread/default/generation`,
      );
      expect(running.generation?.id).toBe(idOf(tab.text()));
      const [turn] = await waitFor(async () => {
        const turns = await turnsOf(slug);
        return turns[0]?.state === "done" && turns;
      });
      expect(turn!.answer.trim().split(/\s+/)).toHaveLength(300);
      const whole = await api.call(
        "GET",
        `/generation/${idOf(tab.text())}/stream`,
        undefined,
        ours,
      );
      expect(whole.text.startsWith(tab.text().slice(0, tab.text().lastIndexOf("\n\n") + 2))).toBe(
        true,
      );
    });

    it("a closed tab of another client stops the answer and keeps the text so far", async () => {
      const { slug } = await api.makeWorkspace("Closed tab of others");
      llm.behave({ tokens: 20_000, delayMs: 10 });
      const tab = open(instance().url, `/workspace/${slug}/stream-chat`, "Never mind.", {});
      await waitFor(async () => tab.text().split("textResponseChunk").length > 4);
      tab.close();
      const [turn] = await waitFor(async () => {
        const turns = await turnsOf(slug);
        return turns[0]?.state === "cancelled" && turns;
      });
      expect(turn!.answer).toMatch(/^The quick answer/);
      expect((await historyOf(slug)).map(({ content }) => content)).toEqual([
        "Never mind.",
        turn!.answer,
      ]);
      await waitFor(async () => llm.openStreams() === 0);
    });

    it("a provider that disconnects causes an abort frame, and the text so far is kept", async () => {
      const { slug } = await api.makeWorkspace("Broken off");
      llm.behave({
        reply: ["One ", "two ", "three ", "four ", "five "],
        breakAfter: 3,
        delayMs: 20,
      });
      const answer = await api.ask(slug, "Count to five.");
      expect(answer.status).toBe(200);
      expect(answer.text.trim()).toBe("One two three");
      expect(answer.frames.find(({ type }) => type === "abort")).toMatchObject({
        textResponse: null,
        close: true,
        error: expect.stringMatching(/\w{4,} \w+/),
      });
      expect(await turnsOf(slug)).toMatchObject([
        {
          question: "Count to five.",
          answer: expect.stringMatching(/^One two three\s*$/),
          state: "failed",
          error: expect.stringMatching(/\w{4,}/),
        },
      ]);
      expect((await historyOf(slug)).map(({ role }) => role)).toEqual(["user", "assistant"]);
    });

    it.each([
      [
        "refuses the key",
        { status: 401, error: { message: `Incorrect API key provided: ${key}` } },
      ],
      ["is overloaded", { status: 503 }],
      ["says nothing that can be read", { malformedAfter: 0 }],
    ])(
      "a provider that %s causes an error message, and the question is kept and can be asked again",
      async (name, behaviour) => {
        const { slug } = await api.makeWorkspace(`Fault ${name}`);
        llm.behave(behaviour);
        const answer = await api.ask(slug, "Are you there?");
        expect([answer.status, answer.frames.map(({ type }) => type)]).toEqual([200, ["abort"]]);
        expect(answer.raw).not.toContain(key);
        expect(await turnsOf(slug)).toMatchObject([
          {
            question: "Are you there?",
            answer: "",
            state: "failed",
            error: expect.stringMatching(/\w{4,}/),
          },
        ]);
        llm.behave({ reply: "Now I am." });
        expect((await api.ask(slug, "Are you there?")).text).toBe("Now I am.");
        expect((await turnsOf(slug)).at(-1)).toMatchObject({ state: "done", answer: "Now I am." });
      },
    );

    it("gives the model the passages however a question is put", async () => {
      const { slug } = await api.makeWorkspace("Polite questions");
      for (const [name, text] of [
        ["lighthouse.txt", "The last keeper of the lighthouse on Brask was Ottoline Farr."],
        ["ferry.txt", "In winter, the ferry to Brask leaves the northern quay at ten."],
        ["canteen.txt", "On Fridays the canteen serves fish soup and rye bread."],
      ] as const)
        await api.upload("upload-and-embed", slug, name, text, "text/plain");
      await api.json("POST", `/workspace/${slug}/update`, { chatMode: "query" });
      llm.behave({ reply: "It was Ottoline Farr [1]." });
      for (const ask of [
        (question: string) => question,
        (question: string) => `${question}\nPlease answer briefly.`,
        (question: string) => `Based on the uploaded documents, ${question}`,
        (question: string) => `${question} Format the answer as a bulleted list in Markdown.`,
        (question: string) =>
          `Hi! I'm preparing a talk for my colleagues and would love some help. ${question}`,
      ]) {
        const message = ask("Who was the last keeper of the lighthouse on Brask?");
        const before = llm.requests.length;
        const { frames } = await api.ask(slug, message);
        expect([
          message,
          frames.flatMap((frame) => ("sources" in frame ? frame.sources : []))[0]?.title,
        ]).toEqual([message, "lighthouse.txt"]);
        expect(JSON.stringify(llm.requests[before]!.body)).toContain("was Ottoline Farr");
      }
      // Nothing in the documents is about this.
      const { text } = await api.ask(slug, "How do vaccines against measles work?");
      expect(text).toBe("There is no relevant information in this workspace to answer your query.");
    });

    it("an unreachable provider causes an error message, and the question is kept", async () => {
      const { slug } = await api.makeWorkspace("Nobody there");
      // The address moves to another origin, which clears the key unless it is sent along.
      await api.json("POST", "/system/update-env", {
        GenericOpenAiBasePath: "http://127.0.0.1:9/v1",
        GenericOpenAiKey: key,
      });
      const answer = await api.ask(slug, "Are you there?");
      expect(answer.frames).toEqual([
        expect.objectContaining({
          type: "abort",
          textResponse: null,
          close: true,
          error: expect.stringMatching(/\w{4,} \w+/),
        }),
      ]);
      expect(await turnsOf(slug)).toMatchObject([{ question: "Are you there?", state: "failed" }]);
      await api.json("POST", "/system/update-env", {
        GenericOpenAiBasePath: `${llm.url}/v1`,
        GenericOpenAiKey: key,
      });
      llm.behave({ reply: "Back." });
      expect((await api.ask(slug, "Are you there?")).text).toBe("Back.");
    });
  });
}
