// What "OpenAI compatible" learns from servers that report their limits in their own ways,
// following their documentation (named in src/openai/server-windows.ts).
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createLanguageModel, findModelList, type LanguageModel } from "@carrel/providers";
import { waitFor } from "@carrel/testing";
import { afterEach, describe, expect, it } from "@jest/globals";

type Routes = Record<string, unknown>;
let server: Server | undefined;
let asked: string[] = [];

/** A server with these routes; all others are missing. */
async function serve(routes: Routes): Promise<string> {
  asked = [];
  server = createServer((request, response) => {
    const path = request.url!;
    asked.push(`${request.method} ${path} ${request.headers.authorization ?? ""}`.trim());
    request.resume();
    const body = routes[path];
    response.writeHead(body === undefined ? 404 : 200, { "content-type": "application/json" });
    response.end(JSON.stringify(body ?? { detail: "Not Found" }));
  });
  await new Promise<void>((resolve) => void server!.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

const settings = (url: string, more: Record<string, string> = {}) => ({
  GenericOpenAiBasePath: url,
  GenericOpenAiKey: "sk-local-0123456789",
  GenericOpenAiModelPref: "local",
  ...more,
});
async function prepared(url: string, more?: Record<string, string>): Promise<LanguageModel> {
  const model = createLanguageModel("generic-openai", settings(url, more));
  await model.prepare!(new AbortController().signal);
  return model;
}
const listed = (...entries: object[]) => ({ "/v1/models": { object: "list", data: entries } });
const local = { id: "local", object: "model", owned_by: "x" };

describe("the context window", () => {
  it.each<[string, Routes, number]>([
    ["vLLM", listed({ ...local, max_model_len: 32_768 }), 32_768],
    ["a vendor's list", listed({ ...local, context_length: 131_072 }), 131_072],
    ["another vendor's list", listed({ ...local, context_window: 65_536 }), 65_536],
    ["a third vendor's list", listed({ ...local, max_context_length: 16_384 }), 16_384],
    [
      "llama.cpp",
      {
        ...listed({ ...local, meta: { n_ctx_train: 131_072, n_params: 1 } }),
        "/props": { default_generation_settings: { n_ctx: 20_480 }, total_slots: 1 },
      },
      20_480,
    ],
    [
      "llama.cpp without its properties",
      listed({ ...local, meta: { n_ctx_train: 40_960 } }),
      40_960,
    ],
    [
      "LM Studio",
      {
        ...listed(local),
        "/api/v0/models": {
          data: [
            { id: "other", state: "loaded", max_context_length: 1, loaded_context_length: 1 },
            {
              id: "local",
              state: "loaded",
              max_context_length: 131_072,
              loaded_context_length: 6_000,
            },
          ],
        },
      },
      6_000,
    ],
    [
      "LM Studio before it loads the model",
      {
        ...listed(local),
        "/api/v0/models": {
          data: [{ id: "local", state: "not-loaded", max_context_length: 131_072 }],
        },
      },
      131_072,
    ],
    [
      "KoboldCpp",
      { ...listed(local), "/api/extra/true_max_context_length": { value: 12_288 } },
      12_288,
    ],
    [
      "Text Generation Inference",
      { "/info": { model_id: "local", max_input_tokens: 4_000, max_total_tokens: 5_000 } },
      5_000,
    ],
    [
      "TabbyAPI",
      { ...listed(local), "/v1/model": { id: "local", parameters: { max_seq_len: 9_000 } } },
      9_000,
    ],
    [
      "LiteLLM",
      {
        ...listed(local, { ...local, id: "other" }),
        "/model/info": {
          data: [
            { model_name: "other", model_info: { max_input_tokens: null } },
            {
              model_name: "local",
              model_info: { max_input_tokens: 200_000, max_output_tokens: 8_192 },
            },
          ],
        },
      },
      200_000,
    ],
    [
      "Ollama with a loaded model",
      {
        ...listed(local),
        "/api/ps": { models: [{ name: "local:latest", context_length: 24_000 }] },
      },
      24_000,
    ],
    [
      "Ollama with a model's own choice",
      {
        ...listed(local),
        "/api/ps": { models: [] },
        "/api/show": {
          parameters: 'num_ctx    16000\nstop "x"',
          model_info: { "llama.context_length": 131_072 },
        },
      },
      16_000,
    ],
    [
      "Ollama before it loads the model",
      {
        ...listed(local),
        "/api/ps": { models: [] },
        "/api/show": { model_info: { "llama.context_length": 131_072 } },
      },
      8_192,
    ],
    [
      "LiteLLM without the prompt's limit",
      {
        ...listed(local),
        "/model/info": { data: [{ model_name: "local", model_info: { max_tokens: 4_096 } }] },
      },
      8_192,
    ],
    ["the catalogue", listed({ ...local, id: "gpt-4.1" }), 1_047_576],
    ["nobody", listed(local), 8_192],
    ["nobody, and without a list", {}, 8_192],
    [
      "a server that talks nonsense",
      { "/v1/models": [], "/props": { n_ctx: "many" }, "/info": 7 },
      8_192,
    ],
  ])("is known from %s", async (who, routes, window) => {
    const model = { GenericOpenAiModelPref: who === "the catalogue" ? "gpt-4.1" : "local" };
    expect((await prepared(await serve(routes), model)).contextWindow).toBe(window);
    expect(asked.every((request) => request.endsWith(" Bearer sk-local-0123456789"))).toBe(true);
  });

  it("is asked for once, and not at all if it is set", async () => {
    const url = await serve(listed({ ...local, max_model_len: 32_768 }));
    const model = createLanguageModel("generic-openai", settings(url));
    await Promise.all([
      model.prepare!(new AbortController().signal),
      model.prepare!(new AbortController().signal),
    ]);
    await model.prepare!(new AbortController().signal);
    expect(asked).toHaveLength(1);
    expect((await prepared(url, { GenericOpenAiTokenLimit: "5000" })).contextWindow).toBe(5_000);
    expect(asked).toHaveLength(1);
  });

  it("is found for all callers though one of them stops", async () => {
    const url = await serve(listed({ ...local, max_model_len: 32_768 }));
    const model = createLanguageModel("generic-openai", settings(url));
    const stop = new AbortController();
    const stopped = model.prepare!(stop.signal);
    const other = model.prepare!(new AbortController().signal);
    stop.abort();
    await Promise.all([stopped, other]);
    expect([model.contextWindow, asked.length]).toEqual([32_768, 1]);
  });

  it("is asked for again after the first answer, without a wait", async () => {
    const routes: Routes = { ...listed(local), "/api/ps": { models: [] } };
    const model = await prepared(await serve(routes));
    const prepare = () => model.prepare!(new AbortController().signal);
    const before = asked.length;
    await prepare();
    expect(asked).toHaveLength(before);
    routes["/api/ps"] = { models: [{ name: "local", context_length: 24_000 }] };
    const answer = async () => {
      const call = { system: "", messages: [], temperature: null };
      for await (const _ of model.stream({ ...call, signal: new AbortController().signal }));
    };
    await expect(answer()).rejects.toThrow();
    await prepare();
    expect(model.contextWindow).toBe(8_192);
    await waitFor(() => model.contextWindow === 24_000);
    const after = asked.length;
    await answer().catch(() => undefined);
    await prepare();
    expect(asked).toHaveLength(after + 1);
  });

  it("of an admin's override counts", async () => {
    const url = await serve(listed({ ...local, max_model_len: 32_768 }));
    const model = createLanguageModel("generic-openai", settings(url), {
      overrides: [
        { provider: "generic-openai", model: "local", contextWindow: 7_000, outputLimit: 100 },
      ],
    });
    await model.prepare!(new AbortController().signal);
    expect([model.contextWindow, asked]).toEqual([7_000, []]);
  });

  it("stays at the default when the server can't be reached", async () => {
    expect((await prepared("http://127.0.0.1:2/v1")).contextWindow).toBe(8_192);
  });
});

it("isn't asked for where only the names of models count", async () => {
  const url = await serve(listed(local));
  const models = await findModelList("generic-openai")!.fetch(settings(url));
  expect(models).toEqual([{ id: "local", name: "local", organization: expect.any(String) }]);
  expect(asked).toHaveLength(1);
});

it("lists the models with who says their window", async () => {
  const url = await serve({
    ...listed(local, { ...local, id: "gpt-4.1" }, { ...local, id: "unknown" }),
    "/model/info": { data: [{ model_name: "local", model_info: { max_input_tokens: 10_000 } }] },
  });
  const models = await findModelList("generic-openai")!.fetch(settings(url), { asksLimits: true });
  expect(
    models.map(({ id, contextWindow, windowSource }) => [id, contextWindow, windowSource]),
  ).toEqual([
    ["gpt-4.1", 1_047_576, "catalogue"],
    ["local", 10_000, "server"],
    ["unknown", undefined, undefined],
  ]);
});
