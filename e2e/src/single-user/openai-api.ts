import { startFakeLlm, type FakeLlm, type Instance } from "@carrel/testing";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import OpenAI from "openai";
import { Api } from "../api.ts";
import { pixel } from "../isolation/fixture.ts";
import { testOpenAiStreams } from "./openai-streams.ts";

const key = "sk-very-secret-0123456789-openai";
const fact = "The flow temperature is 48 °C in winter.";
const quote = { reply: "It is 48 °C [1]." };
const question = { role: "user", content: "What is the flow temperature?" } as const;

/** wire-contract 9.6, with the official client. */
export function testOpenAiApi(instance: () => Instance): void {
  let llm: FakeLlm | undefined;
  // Stopped with the instance, which keeps using this embedder.
  afterAll(() => llm?.stop());
  describe("OpenAI's API", () => {
    let fake: FakeLlm;
    let api: Api;
    let openai: OpenAI;
    let model: string;
    let other: string;
    beforeAll(async () => {
      llm = fake = await startFakeLlm({ apiKey: key });
      fake.behave(quote);
      api = new Api(instance().url);
      await api.json("POST", "/system/update-env", {
        LLMProvider: "generic-openai",
        GenericOpenAiBasePath: `${fake.url}/v1`,
        GenericOpenAiKey: key,
        GenericOpenAiModelPref: "fake-model",
        GenericOpenAiTokenLimit: "8192",
        EmbeddingEngine: "generic-openai",
        EmbeddingBasePath: `${fake.url}/v1`,
        GenericOpenAiEmbeddingApiKey: key,
        EmbeddingModelPref: "fake-embedder",
      });
      const workspace = await api.makeWorkspace("A model");
      model = workspace.slug;
      other = (await api.makeWorkspace("Another model")).slug;
      await api.upload("upload-and-embed", model, "survey.txt", fact);
      openai = await connect({});
      restricted = await connect({ workspaceIds: [workspace.id] });
    });
    let restricted: OpenAI;
    const connect = async (limits: object): Promise<OpenAI> =>
      new OpenAI({
        baseURL: `${api.url}/api/v1/openai`,
        apiKey: (
          await api.json<{ apiKey: { secret: string } }>("POST", "/system/generate-api-key", limits)
        ).apiKey.secret,
        maxRetries: 0,
      });
    /** The last prompt. */
    const prompt = (): { messages: { role: string; content: unknown }[]; temperature?: number } =>
      fake.requests.filter(({ path }) => path.endsWith("/chat/completions")).at(-1)!.body as never;

    it("lists workspaces as models, but only those of the key", async () => {
      const listed = (await openai.models.list()).data.map(({ id }) => id);
      expect(listed).toEqual(expect.arrayContaining([model, other]));
      expect((await restricted.models.list()).data).toEqual([
        expect.objectContaining({ id: model, object: "model", owned_by: "generic-openai" }),
      ]);
      expect(await openai.models.retrieve(other)).toMatchObject({ id: other });
      await expect(restricted.models.retrieve(other)).rejects.toMatchObject({ status: 404 });
      const foreign = restricted.chat.completions.create({ model: other, messages: [question] });
      await expect(foreign).rejects.toMatchObject({ status: 401 });
      expect((await restricted.vectorStores.list()).data).toEqual([
        expect.objectContaining({ id: model, file_counts: { total: 1 } }),
      ]);
      expect((await restricted.vectorStores.list({ limit: 5 })).data).toHaveLength(1);
      expect((await restricted.vectorStores.list({ after: model })).data).toEqual([]);
    });

    it("completes a chat with the client's history, instructions and images", async () => {
      const url = `data:image/png;base64,${Buffer.from(pixel).toString("base64")}`;
      const completion = await openai.chat.completions.create({
        model,
        temperature: 0.25,
        messages: [
          { role: "system", content: "Answer like a pirate." },
          { role: "user", content: "Who are you?" },
          {
            role: "assistant",
            content: null,
            tool_calls: [
              { id: "1", type: "function", function: { name: "look_up", arguments: "{}" } },
            ],
          },
          { role: "tool", tool_call_id: "1", content: "A pump." },
          { role: "assistant", content: "I am a pump." },
          {
            role: "user",
            content: [
              { type: "text", text: question.content },
              { type: "image_url", image_url: { url } },
            ],
          },
        ],
      });
      expect(completion).toMatchObject({
        object: "chat.completion",
        model,
        choices: [
          {
            index: 0,
            message: {
              role: "assistant",
              content: "It is 48 °C [1].",
              annotations: [
                {
                  type: "url_citation",
                  url_citation: { start_index: 12, end_index: 15, title: "survey.txt" },
                  carrel_source: { title: "survey.txt" },
                },
              ],
            },
            finish_reason: "stop",
          },
        ],
        usage: { prompt_tokens: expect.any(Number), total_tokens: expect.any(Number) },
      });
      const { messages, temperature } = prompt();
      expect(temperature).toBe(0.25);
      expect(messages.map(({ role }) => role)).toEqual(["system", "user", "assistant", "user"]);
      expect(messages[0]!.content).toContain("Answer like a pirate.");
      expect(messages[0]!.content).toContain(fact);
      expect(messages[2]!.content).toBe(
        "[Called look_up with {}]\n\n[Result: A pump.]\n\nI am a pump.",
      );
      expect(messages[3]!.content).toEqual([
        { type: "text", text: question.content },
        { type: "image_url", image_url: expect.objectContaining({ url }) },
      ]);
      expect(await api.json("GET", `/workspace/${model}/chats`)).toEqual({ history: [] });
    });

    testOpenAiStreams(() => ({ openai, model, prompt, fake }));

    it("reports failures as the client expects them", async () => {
      // Not only the next call: documents may still be being embedded.
      fake.behave({ status: 401 });
      await expect(
        openai.chat.completions.create({ model, messages: [question] }),
      ).rejects.toMatchObject({ status: 502, type: "server_error" });
      const stream = await openai.chat.completions.create({
        model,
        messages: [question],
        stream: true,
      });
      await expect(
        (async () => {
          for await (const _ of stream);
        })(),
      ).rejects.toThrow(/key/i);
      fake.behave(quote);
    });

    it("responds, as a whole and streamed", async () => {
      const response = await openai.responses.create({
        model,
        instructions: "Answer like a pirate.",
        input: [
          { role: "user", content: "Who are you?" },
          { role: "assistant", content: "A pump." },
          { role: "user", content: [{ type: "input_text", text: question.content }] },
        ],
      });
      expect(response.output_text).toBe("It is 48 °C [1].");
      expect(response).toMatchObject({
        status: "completed",
        usage: { output_tokens: expect.any(Number) },
        output: [{ content: [{ annotations: [{ type: "url_citation", start_index: 12 }] }] }],
      });
      expect(prompt().messages).toHaveLength(4);
      const stream = openai.responses.stream({ model, input: question.content });
      const types: string[] = [];
      for await (const { type } of stream) if (types.at(-1) !== type) types.push(type);
      expect(types).toEqual([
        "response.created",
        "response.in_progress",
        "response.output_item.added",
        "response.content_part.added",
        "response.output_text.delta",
        "response.output_text.annotation.added",
        "response.output_text.done",
        "response.content_part.done",
        "response.output_item.done",
        "response.completed",
      ]);
      expect((await stream.finalResponse()).output_text).toBe("It is 48 °C [1].");
    });

    it("passes tools to the model, and their results", async () => {
      const parameters = { type: "object", properties: { city: { type: "string" } } };
      const tool = { name: "get_weather", description: "The weather", parameters };
      const tools = [{ type: "function" as const, function: tool }];
      const called = { toolCalls: [{ name: "get_weather", input: { city: "Oslo" } }] };
      fake.behave(called);
      const completion = await openai.chat.completions.create({
        model,
        messages: [question],
        tools,
        tool_choice: "required",
      });
      const { message, finish_reason: reason } = completion.choices[0]!;
      expect(reason).toBe("tool_calls");
      expect(message.tool_calls).toEqual([
        {
          id: expect.any(String),
          type: "function",
          function: { name: "get_weather", arguments: '{"city":"Oslo"}' },
        },
      ]);
      expect(prompt()).toMatchObject({ tools, tool_choice: "required" });
      const streamed = await openai.chat.completions
        .stream({ model, messages: [question], tools })
        .finalChatCompletion();
      expect(streamed.choices[0]).toMatchObject({
        finish_reason: "tool_calls",
        message: { tool_calls: [{ function: { name: "get_weather" } }] },
      });
      fake.behave(quote);
      const result = { role: "tool", tool_call_id: message.tool_calls![0]!.id, content: "Rain" };
      const answer = await openai.chat.completions.create({
        model,
        messages: [question, message, result as { role: "tool" } & typeof result],
        tools,
      });
      expect(answer.choices[0]!.message.content).toContain("48 °C");
      expect(prompt().messages.slice(-3)).toMatchObject([
        question,
        { role: "assistant", tool_calls: message.tool_calls },
        result,
      ]);
      fake.behave(called);
      const asked = {
        model,
        input: question.content,
        tools: [{ type: "function", strict: null, ...tool }],
      };
      const response = await openai.responses.create(asked as never);
      expect(response).toMatchObject({
        output: [{ type: "function_call", name: "get_weather", arguments: '{"city":"Oslo"}' }],
      });
      const final = await openai.responses.stream(asked as never).finalResponse();
      expect(final.output).toMatchObject([{ type: "function_call", name: "get_weather" }]);
      fake.behave(quote);
    });

    it("embeds texts and their tokens", async () => {
      const embed = (input: string[] | number[][], encoding_format?: "float") =>
        openai.embeddings.create({
          model: "any",
          input,
          ...(encoding_format && { encoding_format }),
        });
      const encoded = await embed([fact, "Something else"]);
      expect(encoded).toMatchObject({ object: "list", model: "fake-embedder" });
      expect(encoded.data.map(({ index }) => index)).toEqual([0, 1]);
      const plain = await embed([fact], "float");
      expect(plain.data[0]!.embedding).toEqual(encoded.data[0]!.embedding);
      // "hello world" in cl100k_base
      const [ofTokens, ofText] = await Promise.all([
        embed([[15339, 1917]]),
        embed(["hello world"]),
      ]);
      expect(ofTokens.data[0]!.embedding).toEqual(ofText.data[0]!.embedding);
      const { length } = plain.data[0]!.embedding;
      const sized = (dimensions: number) =>
        openai.embeddings.create({ model: "any", input: fact, dimensions });
      expect((await sized(length)).data[0]!.embedding).toEqual(plain.data[0]!.embedding);
      const unsupported = { status: 400, type: "invalid_request_error", param: "dimensions" };
      await expect(sized(length - 1)).rejects.toMatchObject(unsupported);
      const used = { subject: "instance", period: "day", unit: "tokens", warnAt: null, stopAt: 1 };
      const { id } = await api.json<{ id: number }>("POST", "/usage/budgets", used);
      const refused = { status: 429, type: "insufficient_quota" };
      await expect(embed(["Once more"])).rejects.toMatchObject(refused);
      await api.json("DELETE", `/usage/budgets/${id}`);
    });
  });
}
