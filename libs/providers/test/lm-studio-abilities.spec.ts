import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createLanguageModel } from "@carrel/providers";
import { afterAll, expect, it } from "@jest/globals";

/** What the fake LM Studio answers by path; other paths are unknown. */
const replies = new Map<string, unknown>();
const server = createServer((request, reply) => {
  const body = replies.get(request.url ?? "");
  reply.writeHead(body === undefined ? 404 : 200, { "content-type": "application/json" });
  reply.end(JSON.stringify(body ?? { error: "Unexpected endpoint or method." }));
});
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const { port } = server.address() as AddressInfo;
afterAll(() => void server.close());

const { signal } = new AbortController();
const make = (model: string, overrides = {}) =>
  createLanguageModel(
    "lmstudio",
    { LMStudioBasePath: `http://127.0.0.1:${port}/v1`, LMStudioModelPref: model },
    { overrides: [{ provider: "lmstudio", model, ...overrides }] },
  );
const abilitiesOf = async (model: string, overrides = {}) => {
  const made = make(model, overrides);
  return [await made.supportsImages(signal), await made.supportsTools(signal)];
};

it("asks LM Studio what a model can do", async () => {
  // Shape of GET /api/v1/models (lmstudio.ai/docs/developer/rest, 0.4).
  replies.set("/api/v1/models", {
    models: [
      {
        type: "llm",
        key: "google/gemma-3-4b",
        loaded_instances: [],
        capabilities: { vision: true, trained_for_tool_use: false },
      },
      {
        type: "llm",
        key: "qwen/qwen3.5-9b",
        loaded_instances: [{ id: "mine", config: {} }],
        capabilities: { vision: false, trained_for_tool_use: true },
      },
    ],
  });
  expect(await abilitiesOf("google/gemma-3-4b")).toEqual([true, false]);
  expect(await abilitiesOf("mine")).toEqual([false, true]);
  expect(await abilitiesOf("unknown")).toEqual([null, null]);
  expect(await abilitiesOf("google/gemma-3-4b", { tools: true })).toEqual([true, true]);
});

it("asks older versions the older way", async () => {
  replies.clear();
  const model = make("qwen2.5");
  expect(await model.supportsTools(signal)).toBeNull();
  // Shape of GET /api/v0/models (lmstudio.ai/docs/developer/rest/endpoints).
  replies.set("/api/v0/models", {
    object: "list",
    data: [
      { id: "qwen2.5", object: "model", type: "llm", capabilities: ["tool_use"] },
      { id: "qwen2-vl", object: "model", type: "vlm" },
    ],
  });
  // The failed request isn't remembered.
  expect(await model.supportsTools(signal)).toBe(true);
  expect(await abilitiesOf("qwen2-vl")).toEqual([true, null]);
});
