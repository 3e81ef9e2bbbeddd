import type { ProviderDeclaration } from "@carrel/contracts";
import { expectAccessible } from "./accessibility.ts";
import { expect, test } from "./fixtures.ts";

const model = { key: "EmbeddingModelPref", label: "model", kind: "model", required: true } as const;
const dimensions = {
  key: "EmbeddingOutputDimensions",
  label: "dimensions",
  kind: "number",
  required: false,
  min: 1,
  advanced: true,
} as const;
const address = {
  key: "EmbeddingBasePath",
  label: "address",
  kind: "url",
  required: true,
  placeholder: "http://127.0.0.1:1234/v1",
} as const;
const longest = {
  key: "EmbeddingModelMaxChunkLength",
  label: "longestPassage",
  kind: "number",
  required: false,
  default: 1000,
  min: 1,
} as const;

/** As the registry declares some of them. */
const embedders: ProviderDeclaration[] = [
  {
    id: "voyageai",
    name: "Voyage AI",
    kind: "embedding",
    group: "hosted",
    keyUrl: "https://dashboard.voyageai.com",
    dataPolicyUrl: "https://www.voyageai.com/privacy",
    listsModels: false,
    fields: [
      { key: "VoyageAiApiKey", label: "key", kind: "secret", required: true },
      {
        ...model,
        kind: "select",
        default: "voyage-3-lite",
        options: ["voyage-3-lite", "voyage-4"],
      },
      dimensions,
    ],
  },
  {
    id: "mistral",
    name: "Mistral",
    kind: "embedding",
    group: "hosted",
    listsModels: true,
    listId: "mistral-embedder",
    fields: [
      { key: "MistralApiKey", label: "key", kind: "secret", required: true },
      { ...model, default: "mistral-embed" },
      dimensions,
    ],
  },
  {
    id: "ollama",
    name: "Ollama",
    kind: "embedding",
    group: "local",
    listsModels: true,
    listId: "ollama-embedder",
    fields: [address, model, longest],
  },
  {
    id: "lmstudio",
    name: "LM Studio",
    kind: "embedding",
    group: "local",
    listsModels: true,
    listId: "lmstudio-embedder",
    fields: [address, model, longest],
  },
];
const saved = {
  EmbeddingEngine: "ollama",
  EmbeddingBasePath: "http://127.0.0.1:11434",
  EmbeddingModelPref: "nomic-embed-text",
  EmbeddingOutputDimensions: "256",
};

test.beforeEach(async ({ page, gateway }) => {
  gateway.settings = { ...saved };
  gateway.furtherProviders = embedders;
  await page.route("**/api/system/custom-models", (route) =>
    route.fulfill({ json: { models: [{ id: "text-embedding-nomic" }], error: null } }),
  );
  await page.goto("/settings/embedding-preference");
});

test("the form of another embedder starts empty, and saves what it needs", async ({ page }) => {
  const sent = page.waitForRequest("**/api/system/update-env");
  await expect(page.getByLabel("Base URL")).toHaveValue("http://127.0.0.1:11434");
  await page.getByRole("searchbox", { name: "Search providers" }).fill("voy");
  await page.getByRole("button", { name: "Voyage AI", exact: true }).click();
  await expect(page.getByText("Leaves this server:")).toBeVisible();
  await expect(page.getByRole("combobox", { name: "Model" })).toHaveValue("voyage-3-lite");
  await page.getByRole("button", { name: "Advanced" }).click();
  await expect(page.getByLabel("Dimensions")).toHaveValue("");
  await expect(page.getByText("re-indexes your documents in the background")).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel("API key").fill("pa-typed");
  await page.getByRole("button", { name: "Use Voyage AI" }).click();
  expect((await sent).postDataJSON()).toEqual({
    EmbeddingOutputDimensions: "",
    VoyageAiApiKey: "pa-typed",
    EmbeddingModelPref: "voyage-3-lite",
    EmbeddingEngine: "voyageai",
  });
});

test("models are listed for embedding, and another one needs a new index", async ({ page }) => {
  await page.getByRole("button", { name: "LM Studio", exact: true }).click();
  await expect(page.getByLabel("Base URL")).toHaveValue("");
  await page.getByLabel("Base URL").fill("http://127.0.0.1:1234/v1");
  const listed = page.waitForRequest("**/api/system/custom-models");
  const model = page.getByRole("combobox", { name: "Model" });
  await model.click();
  await page.getByRole("option", { name: "text-embedding-nomic" }).click();
  expect((await listed).postDataJSON()).toEqual({
    provider: "lmstudio-embedder",
    apiKey: null,
    basePath: "http://127.0.0.1:1234/v1",
  });
  const tested = page.waitForRequest("**/api/system/test-provider");
  await page.getByRole("button", { name: "Test connection" }).click();
  await expect(page.getByText(/^Connected\. text-embedding-nomic answered in/)).toBeVisible();
  expect((await tested).postDataJSON()).toMatchObject({
    kind: "embedding",
    provider: "lmstudio",
    settings: { EmbeddingModelPref: "text-embedding-nomic" },
  });
  await page.getByRole("button", { name: /^Ollama/ }).click();
  const warning = page.getByText("re-indexes your documents in the background");
  await expect(page.getByRole("combobox", { name: "Model" })).toHaveValue("nomic-embed-text");
  await expect(warning).toHaveCount(0);
  await page.getByLabel("Maximum passage length").fill("2000");
  await expect(warning).toHaveCount(0);
  await page.getByRole("combobox", { name: "Model" }).fill("bge-m3");
  await expect(warning).toBeVisible();
});

test("the choice of an embedder is undone, with the key that it added", async ({
  page,
  gateway,
}) => {
  await page.getByRole("button", { name: "Voyage AI", exact: true }).click();
  await page.getByLabel("API key").fill("pa-typed");
  await page.getByRole("button", { name: "Use Voyage AI" }).click();
  await expect(page.getByText("Embedding model saved.", { exact: true })).toBeVisible();
  await expect
    .poll(() => gateway.settings)
    .toMatchObject({ EmbeddingEngine: "voyageai", VoyageAiApiKey: true });
  await expect(page.getByRole("button", { name: "Use Voyage AI" })).toHaveCount(0);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("Previous settings restored.")).toBeVisible();
  await expect.poll(() => gateway.settings).toEqual(saved);
  await expect(page.getByRole("button", { name: "Use Voyage AI" })).toBeVisible();
  await expect(page.getByLabel("API key")).toHaveValue("");
  // Ollama's model, which the undo restored under the same key, isn't one of Voyage AI.
  await expect(page.getByRole("combobox", { name: "Model" })).toHaveValue("voyage-3-lite");
});
