import { endpoints } from "@carrel/contracts";
import {
  startFakeLlm,
  startTestInstance,
  waitFor,
  type FakeLlm,
  type Instance,
} from "@carrel/testing";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { Api } from "./api.ts";

const secrets = {
  OpenAiKey: "sk-secret-of-openai-0123456789",
  AnthropicApiKey: "sk-ant-secret-of-anthropic-0123456789",
  GenericOpenAiKey: "secret-of-a-server-at-home-0123456789",
};

describe("settings over HTTP", () => {
  let instance: Instance;
  let llm: FakeLlm;
  let api: Api;
  const update = (
    values: Record<string, unknown>,
  ): Promise<{ newValues: Record<string, unknown>; error: false | string }> =>
    api.json("POST", "/system/update-env", values);
  const results = async (): Promise<Record<string, unknown>> =>
    (await api.json<{ results: Record<string, unknown> }>("GET", "/setup-complete")).results;
  beforeAll(async () => {
    llm = await startFakeLlm();
    instance = await startTestInstance();
    api = new Api(instance.url);
  });
  afterAll(async () => {
    await instance?.stop();
    await llm?.stop();
  });

  it("an update stops at the first invalid key, and keeps the earlier changes", async () => {
    const reply = await update({
      OllamaLLMBasePath: "http://127.0.0.1:11434",
      OllamaLLMModelPref: "llama3",
      OpenAiKey: "not a key of OpenAI",
      GenericOpenAiModelPref: "never-set",
    });
    expect(reply.error).toEqual(expect.stringMatching(/\w{4,}/));
    expect(reply.newValues).toMatchObject({
      OllamaLLMBasePath: "http://127.0.0.1:11434",
      OllamaLLMModelPref: "llama3",
    });
    const now = await results();
    expect(now).toMatchObject({
      OllamaLLMBasePath: "http://127.0.0.1:11434",
      OllamaLLMModelPref: "llama3",
    });
    expect(now.GenericOpenAiModelPref ?? null).toBeNull();
    expect(now.OpenAiKey).not.toBe(true);
  });

  it("no reply contains a secret, whatever is read", async () => {
    const { OpenAiKey, AnthropicApiKey, GenericOpenAiKey } = secrets;
    const reply = await api.call("POST", "/system/update-env", {
      LLMProvider: "generic-openai",
      GenericOpenAiBasePath: `${llm.url}/v1`,
      GenericOpenAiModelPref: "fake",
      GenericOpenAiTokenLimit: "4096",
      OpenAiKey,
      AnthropicApiKey,
      GenericOpenAiKey,
    });
    expect(reply.json()).toMatchObject({ error: false });
    expect(await results()).toMatchObject({
      OpenAiKey: true,
      AnthropicApiKey: true,
      GenericOpenAiKey: true,
    });
    const { slug } = await api.makeWorkspace("Secrets");
    const texts = [reply.text];
    const reads = endpoints.filter(
      ({ method, path }) =>
        method === "GET" && !/progress|changes|events|stream/.test(path) && path !== "/docs",
    );
    expect(reads.length).toBeGreaterThan(15);
    for (const { path } of reads) {
      const answer = await api.call(
        "GET",
        path
          .replace(":slug", slug)
          .replace(":threadSlug", "default")
          .replace(/:\w+/g, "00000000-0000-4000-8000-000000000000"),
      );
      expect([path, answer.status < 500]).toEqual([path, true]);
      texts.push(answer.text);
    }
    for (const provider of ["openai", "anthropic", "generic-openai", "ollama"])
      texts.push(
        (
          await api.call("POST", "/system/custom-models", {
            provider,
            apiKey: true,
            basePath: provider === "generic-openai" ? `${llm.url}/v1` : null,
          })
        ).text,
      );
    texts.push((await api.ask(slug, "Which key do you use?")).raw);
    for (const secret of [OpenAiKey, AnthropicApiKey, GenericOpenAiKey])
      expect(
        texts.filter((text) => text.includes(secret) || text.includes(encodeURIComponent(secret))),
      ).toEqual([]);
    // The key is still sent to its own server.
    expect(llm.requests.at(-1)!.headers.authorization).toBe(`Bearer ${GenericOpenAiKey}`);
  });

  it("a masked value keeps the stored secret", async () => {
    await update({ GenericOpenAiKey: "*".repeat(20) });
    const { slug } = await api.makeWorkspace("Masked");
    await api.ask(slug, "Hello?");
    expect(llm.requests.at(-1)!.headers.authorization).toBe(`Bearer ${secrets.GenericOpenAiKey}`);
  });

  it("the embedder can be changed at any time: the old index answers until the new one is complete, and the change can be cancelled or undone", async () => {
    interface State {
      active: { model: string } | null;
      building: {
        state: string;
        fault: { code: string } | null;
        target: { engine: string };
      } | null;
      previous: object | null;
      wanted: object | null;
    }
    const state = () => api.json<State>("GET", "/system/index");
    const first = {
      EmbeddingEngine: "generic-openai",
      EmbeddingBasePath: `${llm.url}/v1`,
      EmbeddingModelPref: "fake-embedder",
    };
    expect(await update(first)).toMatchObject({ error: false });
    const { slug } = await api.makeWorkspace("Embedded");
    await api.upload("upload-and-embed", slug, "a.txt", "The pump was replaced in week 17.");
    await waitFor(
      async () =>
        (await api.json<{ documents: { state: string }[] }>("GET", `/workspace/${slug}/documents`))
          .documents[0]?.state === "embedded",
    );
    expect((await api.call("POST", "/system/index/stop")).json<{ success: boolean }>()).toEqual({
      success: false,
      error: "No index is being built.",
    });
    // Nothing listens there: the current index stays active, and the reason is shown.
    const change = {
      EmbeddingEngine: "ollama",
      EmbeddingBasePath: "http://127.0.0.1:9",
      EmbeddingModelPref: "nomic",
    };
    // The toast undoes a change by saving what was there before.
    await update(change);
    await waitFor(async () => (await state()).building !== null);
    expect(await update(first)).toMatchObject({ error: false });
    await waitFor(async () => (await state()).building === null);
    expect(await state()).toMatchObject({ active: { model: "fake-embedder" }, wanted: null });
    expect(await update(change)).toEqual({ newValues: change, error: false });
    const { building } = await waitFor(async () => {
      const now = await state();
      return now.building?.state === "waiting" && now;
    });
    expect(building).toMatchObject({
      target: { engine: "ollama" },
      fault: { code: expect.stringMatching(/^provider\./) },
    });
    expect(await state()).toMatchObject({ active: { model: "fake-embedder" }, previous: null });
    expect(await api.json("POST", "/system/index/stop")).toEqual({ success: true });
    expect(await results()).toMatchObject({
      EmbeddingEngine: "generic-openai",
      EmbeddingModelPref: "fake-embedder",
      EmbeddingBasePath: `${llm.url}/v1`,
    });
    expect(await state()).toMatchObject({
      active: { model: "fake-embedder" },
      building: null,
      wanted: null,
    });
    expect(await update({ EmbeddingModelPref: "another-embedder" })).toMatchObject({
      error: false,
    });
    await waitFor(async () => (await state()).active?.model === "another-embedder");
    expect(await state()).toMatchObject({
      building: null,
      previous: { target: { model: "fake-embedder" } },
    });
    expect((await api.ask(slug, "When was the pump replaced?")).raw).toContain("a.txt");
    await update({ EmbeddingModelPref: "fake-embedder" });
    await waitFor(async () => (await state()).active?.model === "fake-embedder");
    expect(await state()).toMatchObject({ previous: { target: { model: "another-embedder" } } });
    expect(await api.json("POST", "/system/index/undo")).toEqual({ success: true });
    expect(await state()).toMatchObject({ active: { model: "another-embedder" }, building: null });
    expect(await results()).toMatchObject({ EmbeddingModelPref: "another-embedder" });
    expect(await api.json("POST", "/system/index/drop-previous")).toEqual({ success: true });
    expect((await api.call("POST", "/system/index/undo")).status).toBe(409);
  });

  it("with a password, strangers get 401 on every route that is not public, and 403 or its own status where a key is required", async () => {
    const { slug } = await api.makeWorkspace("Closed");
    expect(
      await api.json("POST", "/system/update-password", {
        usePassword: true,
        newPassword: "harbour-lights",
      }),
    ).toMatchObject({ success: true });
    const closed = endpoints.filter(({ access }) => access.who !== "public");
    expect(closed.length).toBeGreaterThan(30);
    const answers = await Promise.all(
      closed.map(async ({ name, method, path: template, access, errors }) => {
        const path = template
          .replace(":slug", slug)
          .replace(":threadSlug", "default")
          .replace(/:\w+/g, "00000000-0000-4000-8000-000000000000");
        const reply = await fetch(`${instance.url}/api${path}`, {
          method,
          headers: { "sec-fetch-site": "same-origin" }, // GETs that write refuse other sites first
          ...(method === "GET" ? {} : { body: "{}" }),
        });
        await reply.body?.cancel();
        const isForKeys = access.who === "key" || access.who === "extension";
        return [name, reply.status, isForKeys ? (errors.KEY_REFUSED?.status ?? 403) : 401];
      }),
    );
    expect(answers.filter(([, status, due]) => status !== due)).toEqual([]);
  });
});
