import { startFakeLlm, type FakeLlm, type Instance } from "@carrel/testing";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import OpenAI from "openai";
import { Api, ask, parseFrames } from "../api.ts";

const file = { name: "tides.txt", content: "High tide is at noon." };
const chart = { type: "bar", title: "Tides", rows: [{ name: "noon", height: 4 }] };
const make = { toolCalls: [{ name: "create-text-file", input: file }] };
const draw = { toolCalls: [{ name: "create-chart", input: chart }] };
const broken = { toolCalls: [{ name: "create-text-file", input: { name: 7 } }] };
const inquire = {
  toolCalls: [{ name: "ask-person", input: { questions: [{ question: "Which port?" }] } }],
};
const done = { reply: "Done." };
/** A call as some models write it, although they could make it. */
const written = `One moment. <tool_call>${JSON.stringify({ name: "create-text-file", arguments: file })}</tool_call>`;

interface Reply {
  textResponse: string;
  thoughts: string[];
  outputs: { storageFilename: string; filename: string }[];
}
interface Frame {
  id?: string;
  type: string;
  thought?: string;
  textResponse?: string;
  step?: { id: number; state: string; approval: { reason: string } | null; form: object | null };
}

/** Agents in the developer API and in OpenAI's protocols (wire-contract 9.4 and 9.6). */
export function testAgentApi(instance: () => Instance): void {
  describe("agents in the developer API", () => {
    let llm: FakeLlm;
    let api: Api;
    let client: Api;
    let slug: string;
    let openai: OpenAI;
    const makeKey = async (): Promise<string> =>
      (await api.json<{ apiKey: { secret: string } }>("POST", "/system/generate-api-key", {}))
        .apiKey.secret;
    const setSkills = (skills: string, rules: object): Promise<unknown> =>
      api.json("POST", "/admin/system-preferences", {
        default_agent_skills: skills,
        agent_skill_rules: JSON.stringify(rules),
        agent_clarifying_questions_enabled: skills === "" ? "false" : "true",
      });
    beforeAll(async () => {
      llm = await startFakeLlm();
      api = new Api(instance().url);
      await api.json("POST", "/system/update-env", {
        LLMProvider: "generic-openai",
        GenericOpenAiBasePath: `${llm.url}/v1`,
        GenericOpenAiModelPref: "fake-model",
        GenericOpenAiTokenLimit: "8192",
      });
      await setSkills("create-files-agent,create-chart", { "create-chart": "ask" });
      ({ slug } = await api.makeWorkspace("Agents by API"));
      await api.json("POST", `/workspace/${slug}/update`, { chatMode: "automatic" });
      client = new Api(api.url);
      client.token = await makeKey();
      openai = new OpenAI({
        baseURL: `${api.url}/api/v1/openai`,
        apiKey: client.token,
        maxRetries: 0,
      });
    });
    afterAll(async () => {
      await setSkills("", {});
      await llm?.stop();
    });

    const at = (rest: string): string => `/v1/workspace/${slug}${rest}`;
    let sessions = 0;
    /** Each in a session of its own: later questions of one begin with what was read before. */
    const chat = (body: object): Promise<Reply> =>
      client.json<Reply>("POST", at("/chat"), { sessionId: `s${++sessions}`, ...body });
    const stream = async (body: object): Promise<Frame[]> =>
      parseFrames(
        (await client.call("POST", at("/stream-chat"), { sessionId: `s${++sessions}`, ...body }))
          .text,
      ) as unknown as Frame[];

    /** Asks, calls `react` with each frame, and returns all of them. */
    async function follow(
      body: object,
      react: (frame: Frame) => Promise<unknown> | undefined,
    ): Promise<Frame[]> {
      const reply = await fetch(`${api.url}/api${at("/stream-chat")}`, {
        method: "POST",
        headers: { authorization: `Bearer ${client.token}` },
        body: JSON.stringify({ sessionId: `s${++sessions}`, ...body }),
      });
      const frames: Frame[] = [];
      let text = "";
      for await (const piece of reply.body!.pipeThrough(new TextDecoderStream())) {
        text += piece;
        const end = text.lastIndexOf("\n\n") + 2;
        for (const frame of parseFrames(text.slice(0, end)) as unknown as Frame[]) {
          frames.push(frame);
          await react(frame);
        }
        text = text.slice(end);
      }
      return frames;
    }
    const decide = (frame: Frame, decision: string, who = client) =>
      ask(who, "POST", `/v1/generation/${frame.id}/step/${frame.step!.id}/decision`, { decision });
    const isWaiting = ({ step }: Frame): boolean => step?.state === "waiting";

    it("run the same tools in the app, as a whole and streamed", async () => {
      const message = "Write down when high tide is.";
      llm.next(make, done);
      const app = await api.call(
        "POST",
        `/workspace/${slug}/stream-chat`,
        { message },
        { "X-Carrel-Stream": "1" },
      );
      expect(app.text).toContain('"state":"done"');
      llm.next(make, done);
      const whole = await chat({ message });
      llm.next(make, done);
      const streamed = await stream({ message });
      const last = streamed.at(-1) as unknown as Reply;
      for (const { textResponse, thoughts, outputs } of [whole, last])
        expect({ textResponse, thoughts, outputs }).toEqual({
          textResponse: "Done.",
          thoughts: ["@agent calls create-text-file: tides"],
          outputs: [
            {
              filename: "tides.txt",
              storageFilename: expect.stringMatching(/^[0-9a-f-]{36}\.txt$/),
              fileSize: file.content.length,
            },
          ],
        });
      expect(whole).toMatchObject({
        type: "textResponse",
        close: true,
        error: null,
        sources: [],
        metrics: { model: "fake-model" },
      });
      expect(whole).not.toHaveProperty("chatId");
      expect(streamed.map(({ type }) => type)).toEqual([
        "agentThought",
        "fileDownload",
        "textResponseChunk",
        "usageMetrics",
        "textResponse",
        "finalizeResponseStream",
      ]);
      const [id] = streamed.map((frame) => frame.id);
      expect(streamed.slice(0, -1).every((frame) => frame.id === id)).toBe(true);

      const download = (name: string) => client.call("GET", `/v1/document/generated-files/${name}`);
      for (const { outputs } of [whole, last])
        expect((await download(outputs[0]!.storageFilename)).text).toBe(file.content);
      for (const missing of ["00000000-0000-4000-8000-000000000001.txt", "other.txt"])
        expect((await download(missing)).status).toBe(404);
    });

    it("are called by name, by the question's mode and by the workspace's, but not in other modes", async () => {
      const { slug: plain } = await api.makeWorkspace("Chats by API");
      const modes: [string, object, boolean][] = [
        [plain, { message: "@agent Make it." }, true],
        [plain, { message: "Make it.", mode: "agent" }, true],
        [plain, { message: "Make it.", mode: "automatic" }, true],
        [plain, { message: "Make it." }, false],
        [slug, { message: "Make it." }, true],
        [slug, { message: "Make it.", mode: "chat" }, false],
      ];
      for (const [where, question, isAgent] of modes) {
        if (isAgent) llm.next(make, done);
        else llm.next(done);
        const reply = await client.json<Partial<Reply>>("POST", `/v1/workspace/${where}/chat`, {
          ...question,
          sessionId: `m${++sessions}`,
        });
        expect([question, reply.textResponse, reply.outputs?.length ?? null]).toEqual([
          question,
          "Done.",
          isAgent ? 1 : null,
        ]);
        expect("chatId" in reply).toBe(!isAgent);
      }
    });

    it("answer in threads, and are in their history without the call's name", async () => {
      const { thread } = await client.json<{ thread: { slug: string } }>(
        "POST",
        at("/thread/new"),
        { name: "Tides" },
      );
      const inThread = at(`/thread/${thread.slug}`);
      llm.next(make, done);
      const whole = await client.json<Reply>("POST", `${inThread}/chat`, {
        message: "@agent Make it.",
      });
      expect(whole.outputs).toHaveLength(1);
      llm.next(draw, done);
      const frames = parseFrames(
        (await client.call("POST", `${inThread}/stream-chat`, { message: "@agent Draw it." })).text,
      ) as unknown as Frame[];
      // Nobody could be asked, so nobody waited.
      expect(frames.at(-1)).toMatchObject({
        textResponse: "Done.",
        thoughts: [
          "@agent calls create-chart: Tides",
          expect.stringMatching(/^create-chart: .*approval/),
        ],
        outputs: [],
      });
      const { history } = await client.json<{ history: { content: string }[] }>(
        "GET",
        `${inThread}/chats`,
      );
      expect(history.map(({ content }) => content)).toEqual([
        "Make it.",
        "Done.",
        "Draw it.",
        "Done.",
      ]);
    });

    it("wait for approvals by the same key", async () => {
      const stranger = new Api(api.url);
      stranger.token = await makeKey();
      llm.next(draw, done);
      let asked = 0;
      const frames = await follow({ message: "Draw it.", waitSeconds: 60 }, (frame) => {
        if (!isWaiting(frame) || asked++ > 0) return undefined;
        expect(frame.step!.approval).toMatchObject({ reason: "required", canBeLasting: false });
        return (async () => {
          expect((await decide(frame, "once", stranger))[0]).toBe(404);
          expect((await decide(frame, "always"))[0]).toBe(400);
          expect(await decide(frame, "once")).toEqual([200, { success: true }]);
          expect(await decide(frame, "once")).toEqual([200, { success: false }]);
        })();
      });
      expect(asked).toBeGreaterThan(0);
      const last = frames.at(-1) as unknown as Reply;
      expect(last).toMatchObject({
        textResponse: "Done.",
        outputs: [{ type: "rechartVisualize", payload: { type: "bar", title: "Tides" } }],
      });
      const { id, step } = frames.find(({ type }) => type === "agentStep")!;
      const path = `/v1/generation/${id}/step/${step!.id}`;
      expect(await ask(client, "GET", path)).toEqual([
        200,
        { input: expect.stringContaining("noon"), result: expect.any(String) },
      ]);
      expect((await ask(stranger, "GET", path))[0]).toBe(404);
    });

    it("make no call that is denied, or not decided in time", async () => {
      llm.next(draw, done);
      const refused = await follow({ message: "Draw it.", waitSeconds: 60 }, (frame) =>
        isWaiting(frame) ? decide(frame, "denied") : undefined,
      );
      llm.next(draw, done);
      const late = await stream({ message: "Draw it.", waitSeconds: 1 });
      for (const frames of [refused, late])
        expect(frames.at(-1)).toMatchObject({ textResponse: "Done.", outputs: [] });
      expect(late.findLast(({ type }) => type === "agentStep")!.step).toMatchObject({
        state: "denied",
        approval: { decision: "timed-out" },
      });
    });

    it("read the answers to their questions", async () => {
      llm.next(inquire, done);
      await follow({ message: "When is high tide?", waitSeconds: 60 }, (frame) =>
        isWaiting(frame)
          ? ask(client, "POST", `/v1/generation/${frame.id}/step/${frame.step!.id}/answers`, {
              answers: ["Leith"],
            })
          : undefined,
      );
      expect(JSON.stringify(llm.requests.at(-1)!.body)).toContain("Which port?\\nLeith");
    });

    it("go on when a tool fails", async () => {
      llm.next(broken, make, done);
      const whole = await chat({ message: "Make it." });
      llm.next(broken, make, done);
      const streamed = (await stream({ message: "Make it." })).at(-1) as unknown as Reply;
      for (const { textResponse, thoughts, outputs } of [whole, streamed]) {
        expect(textResponse).toBe("Done.");
        expect(thoughts).toHaveLength(3);
        expect(thoughts[1]).toMatch(/^create-text-file: /);
        expect(outputs).toHaveLength(1);
      }
    });

    it("say what is wrong with a provider", async () => {
      llm.next({ status: 401 });
      const [status, refusal] = await ask(client, "POST", at("/chat"), {
        message: "Make it.",
        sessionId: "failing",
      });
      expect([status, refusal]).toMatchObject([502, { type: "abort", textResponse: null }]);
      llm.next({ status: 401 });
      expect(await stream({ message: "Make it." })).toMatchObject([{ type: "abort", close: true }]);
    });

    it("never show a call that a model wrote as text", async () => {
      llm.next({ reply: written }, done);
      const whole = await chat({ message: "Make it." });
      llm.next({ reply: written }, done);
      const streamed = await stream({ message: "Make it." });
      expect(whole).toMatchObject({ textResponse: "One moment. \n\nDone." });
      expect(whole.outputs).toHaveLength(1);
      expect(JSON.stringify([whole, streamed])).not.toMatch(/tool_call>|arguments/);
    });

    describe("for clients of OpenAI's protocols", () => {
      const messages = [{ role: "user", content: "Make it." }] as const;
      const input = "Make it.";

      it("hide their steps and keep the result", async () => {
        llm.next(make, draw, done);
        const whole = await openai.chat.completions.create({
          model: slug,
          messages: [...messages],
        });
        expect(whole.choices[0]).toMatchObject({
          message: { content: "Done." },
          finish_reason: "stop",
        });
        expect(JSON.stringify(whole)).not.toMatch(/tides|create-/);
        llm.next(make, draw, done);
        let text = "";
        const chunks = await openai.chat.completions.create({
          model: slug,
          messages: [...messages],
          stream: true,
        });
        for await (const { choices } of chunks) text += choices[0]?.delta.content ?? "";
        expect(text).toBe("Done.");
        llm.next(make, done);
        expect((await openai.responses.create({ model: slug, input })).output_text).toBe("Done.");
        expect(JSON.stringify(llm.requests.at(-1)!.body)).toContain('Created \\"tides.txt');
      });

      it("never stream what is withdrawn", async () => {
        const events: string[] = [];
        llm.next({ reply: written }, done);
        for await (const chunk of await openai.chat.completions.create({
          model: slug,
          messages: [...messages],
          stream: true,
        }))
          events.push(chunk.choices[0]?.delta.content ?? "");
        expect(events.join("")).toBe("One moment. \n\nDone.");
        llm.next({ reply: written }, done);
        let text = "";
        for await (const event of await openai.responses.create({
          model: slug,
          input,
          stream: true,
        })) {
          if (event.type === "response.output_text.delta") text += event.delta;
          if (event.type === "response.completed")
            expect(event.response.output_text ?? text).toBe(text);
        }
        expect(text).toBe("One moment. \n\nDone.");
      });

      it("give way to the client's own tools", async () => {
        llm.next({ toolCalls: [{ name: "theirs", input: {} }] });
        const answer = await openai.chat.completions.create({
          model: slug,
          messages: [...messages],
          tools: [
            {
              type: "function",
              function: { name: "theirs", parameters: { type: "object", properties: {} } },
            },
          ],
        });
        expect(answer.choices[0]!.message.tool_calls).toMatchObject([
          { function: { name: "theirs" } },
        ]);
      });
    });
  });
}
