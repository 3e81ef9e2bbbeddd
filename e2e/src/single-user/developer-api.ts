import { startFakeLlm, type FakeLlm, type Instance } from "@carrel/testing";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { Api, ask, parseFrames } from "../api.ts";

const key = "sk-very-secret-0123456789-abcdef";
const fact = "The flow temperature is 48 °C in winter.";

/** wire-contract 9.4 and 9.5, with a key and a model. */
export function testDeveloperApi(instance: () => Instance): void {
  describe("the developer API", () => {
    let llm: FakeLlm;
    let api: Api;
    let client: Api;
    let workspace: string;
    beforeAll(async () => {
      llm = await startFakeLlm({ apiKey: key });
      llm.behave({ reply: "It is 48 °C." });
      api = new Api(instance().url);
      await api.json("POST", "/system/update-env", {
        LLMProvider: "generic-openai",
        GenericOpenAiBasePath: `${llm.url}/v1`,
        GenericOpenAiKey: key,
        GenericOpenAiModelPref: "fake-model",
        GenericOpenAiTokenLimit: "8192",
      });
      client = new Api(api.url);
      client.token = (
        await api.json<{ apiKey: { secret: string } }>("POST", "/system/generate-api-key", {})
      ).apiKey.secret;
      const made = await client.json<{ workspace: { slug: string } }>("POST", "/v1/workspace/new", {
        name: "For programs",
        openAiPrompt: "Answer briefly.",
      });
      workspace = made.workspace.slug;
      await api.upload("upload-and-embed", workspace, "survey.txt", fact);
    });
    afterAll(async () => {
      await llm?.stop();
    });

    const at = (rest: string): string => `/v1/workspace/${workspace}${rest}`;
    /** The messages of the last prompt. */
    const prompt = (): { role: string; content: string }[] =>
      llm.requests.at(-1)!.body.messages as { role: string; content: string }[];
    const contentsOf = async (path: string): Promise<string[]> =>
      (await client.json<{ history: { content: string }[] }>("GET", at(path))).history.map(
        ({ content }) => content,
      );

    it("answers as a whole, in sessions with their own histories", async () => {
      const answer = await client.json("POST", at("/chat"), {
        message: "What is the flow temperature?",
        sessionId: "one",
      });
      expect(answer).toEqual({
        id: expect.any(String),
        type: "textResponse",
        close: true,
        error: null,
        chatId: expect.any(Number),
        textResponse: "It is 48 °C.",
        sources: [expect.objectContaining({ title: "survey.txt" })],
        metrics: expect.objectContaining({ model: "fake-model" }),
      });
      expect(prompt()[0]!.content).toContain("Answer briefly.");
      await client.json("POST", at("/chat"), { message: "And in summer?", sessionId: "one" });
      expect(prompt()).toHaveLength(4);
      await client.json("POST", at("/chat"), { message: "Anything else?", sessionId: "two" });
      expect(prompt()).toHaveLength(2);
      expect(await contentsOf("/chats?apiSessionId=one")).toEqual([
        "What is the flow temperature?",
        "It is 48 °C.",
        "And in summer?",
        "It is 48 °C.",
      ]);
      expect((await contentsOf("/chats?apiSessionId=one&limit=1&orderBy=desc"))[0]).toBe(
        "And in summer?",
      );
      // Sessions are left out, here and in the app.
      expect(await contentsOf("/chats")).toEqual([]);
      expect(await api.json("GET", `/workspace/${workspace}/chats`)).toEqual({ history: [] });
      await client.json("POST", at("/chat"), { reset: true, sessionId: "one" });
      expect(await contentsOf("/chats?apiSessionId=one")).toEqual([]);
    });

    it("takes an Idempotency-Key for one request's address and content", async () => {
      const other = await api.makeWorkspace("For other programs");
      const ask = async (slug: string, message: string): Promise<unknown> =>
        (
          await client.call(
            "POST",
            `/v1/workspace/${slug}/chat`,
            { message },
            { "Idempotency-Key": "a" },
          )
        ).json().id;
      const first = await ask(workspace, "How warm is it?");
      expect(first).toEqual(expect.any(String));
      expect(await ask(workspace, "How warm is it?")).toBe(first);
      expect(await ask(workspace, "How warm was it?")).not.toBe(first);
      expect(await ask(other.slug, "How warm is it?")).not.toBe(first);
    });

    it("streams in the form of this API, with the sources at the end", async () => {
      const reply = await client.call("POST", at("/stream-chat"), {
        message: "What is the flow temperature?",
        sessionId: "streamed",
      });
      const frames = parseFrames(reply.text);
      expect(frames.slice(-2)).toEqual([
        expect.objectContaining({ type: "textResponseChunk", close: true, sources: [] }),
        expect.objectContaining({
          type: "finalizeResponseStream",
          chatId: expect.any(Number),
          sources: [expect.objectContaining({ title: "survey.txt" })],
        }),
      ]);
    });

    it("reads attached documents for one question alone", async () => {
      const document = (text: string) => ({
        name: "note.txt",
        mime: "application/anythingllm-document",
        contentString: `data:application/anythingllm-document;base64,${Buffer.from(text).toString("base64")}`,
      });
      await client.json("POST", at("/chat"), {
        message: "Who wrote the note?",
        attachments: [document("This note was written by Ada.")],
      });
      expect(prompt()[0]!.content).toContain("This note was written by Ada.");
      await client.json("POST", at("/chat"), { message: "Who?" });
      expect(prompt()[0]!.content).not.toContain("This note was written by Ada.");
      const { files } = await api.json<{ files: object[] }>(
        "GET",
        `/workspace/${workspace}/parsed-files`,
      );
      expect(files).toEqual([]);
      const binary = { ...document("\u0000\u0001\u0002\u0003".repeat(400)), name: "blob.bin" };
      const [status, refusal] = await ask(client, "POST", at("/chat"), {
        message: "What is this?",
        attachments: [binary],
      });
      expect(status).toBe(422);
      expect(refusal).toMatchObject({ type: "abort", error: expect.any(String) });
    });

    it("expands everyone's slash commands, but takes /reset as it is", async () => {
      await api.call("POST", "/system/slash-command-presets", {
        command: "/brief",
        prompt: "In one word, please.",
        description: "",
      });
      await client.json("POST", at("/chat"), { message: "/reset or /brief?", sessionId: "s" });
      expect(prompt().at(-1)!.content).toBe("/reset or In one word, please.?");
      expect((await contentsOf("/chats?apiSessionId=s"))[0]).toBe("/reset or /brief?");
    });

    it("says what is wrong with a provider", async () => {
      llm.next({ status: 401 });
      const [status, refusal] = await ask(client, "POST", at("/chat"), {
        message: "Still there?",
        sessionId: "failing",
      });
      expect(status).toBe(502);
      expect(refusal).toMatchObject({
        type: "abort",
        close: true,
        textResponse: null,
        error: expect.stringMatching(/key/i),
      });
    });

    it("creates, uses and deletes threads, which the app shows", async () => {
      const { thread } = await client.json<{ thread: { slug: string } }>(
        "POST",
        at("/thread/new"),
        { name: "By a program", slug: "My Thread" },
      );
      expect(thread.slug).toBe("My-Thread");
      expect(await client.json("POST", at("/thread/new"), { slug: "My-Thread" })).toEqual({
        thread: null,
        message: expect.stringContaining("My-Thread"),
      });
      await client.json("POST", at("/thread/My-Thread/chat"), { message: "Hello there?" });
      expect((await contentsOf("/thread/My-Thread/chats"))[0]).toBe("Hello there?");
      const shown = await api.json<{ threads: object[] }>("GET", `/workspace/${workspace}/threads`);
      expect(shown.threads).toMatchObject([{ slug: "My-Thread", name: "By a program" }]);
      const { workspaces } = await client.json<{ workspaces: { slug: string }[] }>(
        "GET",
        "/v1/workspaces",
      );
      expect(workspaces.find(({ slug }) => slug === workspace)).toMatchObject({
        threads: [{ user_id: null, slug: "My-Thread", name: "By a program" }],
      });
      expect((await client.call("DELETE", at("/thread/My-Thread"))).text).toBe("OK");
      expect((await client.call("GET", at("/thread/My-Thread/chats"))).status).toBe(404);
    });
  });
}
