import type { EmbeddingModel } from "@carrel/providers";
import { beforeEach, expect, it, jest } from "@jest/globals";
import { serviceScope } from "../document/workspace-scope.ts";
import { EmbeddingCalls } from "../embedding/embedding-calls.ts";
import type { EmbeddingModels } from "../embedding/embedding-models.ts";
import type { InstanceSettings } from "../setting/instance-settings.ts";
import type { ModelUse } from "../usage/model-use.ts";
import { SearchPriority } from "../work-pool/search-priority.ts";
import { Embedder } from "./embedder.ts";
import type { IndexDirectory } from "./index-directory.ts";
import type { SearchIndex } from "./search-index.ts";

const embed = jest.fn<EmbeddingModel["embed"]>();
const model = { maxInputCharacters: 100, embed } as unknown as EmbeddingModel;
const whole: Partial<SearchIndex> = {
  id: "index",
  table: "table",
  embedder: "fake",
  settings: { chosen: {}, store: {} } as SearchIndex["settings"],
  vectorsWork: true,
};
let index: Partial<SearchIndex>;
let configured: Record<string, string>;
let isReady: boolean;
let embedder: Embedder;
beforeEach(() => {
  index = whole;
  configured = {};
  isReady = true;
  embed.mockReset().mockResolvedValue([Float32Array.of(1)]);
  embedder = new Embedder(
    {
      active: () => Promise.resolve(index),
      find: () => Promise.resolve(null),
    } as unknown as IndexDirectory,
    {
      find: ({ limit = "100" }: Record<string, string>) =>
        Promise.resolve({
          named: { name: "fake", model: { ...model, maxInputCharacters: Number(limit) } },
          fault: null,
        }),
      isReady: () => Promise.resolve(isReady),
    } as unknown as EmbeddingModels,
    {
      onChange: () => undefined,
      get: () => Promise.resolve(configured),
      chunking: (maximum: number | null) => Promise.resolve({ maximum }),
    } as unknown as InstanceSettings,
    {} as ModelUse,
    new EmbeddingCalls(new SearchPriority()),
  );
});
const ask = (question = "Where?") => embedder.embedQuery(question, serviceScope(1));

it("tells a question whose embedder can't be called from one that needs no vector", async () => {
  expect(await ask()).toEqual({ name: "table", vector: Float32Array.of(1) });
  const unavailable = { name: "table", vector: null };
  index = { ...whole, settings: null };
  expect(await ask()).toEqual(unavailable);
  index = whole;
  isReady = false;
  expect(await ask()).toEqual(unavailable);
  isReady = true;
  embed.mockRejectedValueOnce(new Error("failed"));
  expect(await ask("When?")).toEqual(unavailable);
  for (const none of [{ table: null }, { vectorsWork: false }]) {
    index = { ...whole, ...none };
    expect(await ask()).toBeNull();
  }
});

it("asks the embedder only once for the same question", async () => {
  for (let n = 0; n < 3; n++) expect((await ask())?.vector).toEqual(Float32Array.of(1));
  expect(embed).toHaveBeenCalledTimes(1);
});

it("splits within a lower limit in the settings that the index hasn't adopted yet", async () => {
  expect(await embedder.chunking()).toEqual({ maximum: 100 });
  configured = { limit: "60" };
  expect(await embedder.chunking()).toEqual({ maximum: 60 });
});
