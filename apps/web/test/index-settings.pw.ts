import type { Page } from "@playwright/test";
import { expectAccessible } from "./accessibility.ts";
import { large, minilm } from "./fake-index.ts";
import { expect, settled, test } from "./fixtures.ts";
const panel = (page: Page) => page.getByRole("region", { name: "Search index" });
const go = async (page: Page, path: string): Promise<void> => {
  await page.goto(`/settings/${path}`);
};
const dialog = (page: Page) => page.getByRole("dialog");

test.describe("index state", () => {
  for (const path of ["embedding-preference", "vector-database"])
    test(`is shown on ${path}`, async ({ page }) => {
      await go(page, path);
      await expect(panel(page).getByText("all-MiniLM-L6-v2 in LanceDB")).toBeVisible();
      await expect(panel(page)).toContainText("18,420 vectors");
      await expect(panel(page).getByRole("button")).toHaveCount(0);
    });
  test("says which languages go without vectors, and offers a model that covers them", async ({
    page,
    gateway,
  }) => {
    const multilingualModel = { model: "MintplexLabs/multilingual-e5-small", size: "118 MB" };
    Object.assign(gateway.index.state, {
      languagesWithoutVectors: ["ar", "de", "und"],
      multilingualModel,
    });
    await go(page, "embedding-preference");
    await expect(
      panel(page).getByText("Searched by full text only: Arabic, German, and other languages."),
    ).toBeVisible();
    await expect(panel(page)).toContainText("Carrel downloads it (118 MB) and re-indexes");
    await expectAccessible(page, { bestPractices: true });
    Object.assign(gateway.index.state, { vectorsWork: false, languagesWithoutVectors: ["ar"] });
    await page.reload();
    await expect(panel(page).getByText("Semantic search is off.")).toBeVisible();
    await expect(panel(page)).toContainText("This model's embeddings don't help in Arabic");
    await panel(page).getByRole("button", { name: "Use multilingual-e5-small" }).click();
    await expect
      .poll(() => gateway.settings)
      .toMatchObject({ EmbeddingEngine: "native", EmbeddingModelPref: multilingualModel.model });
  });
  test("says how far and how fast documents are embedded, and what they wait for", async ({
    page,
    gateway,
  }) => {
    Object.assign(gateway.index.state, {
      active: null,
      vectors: 0,
      embedding: { passagesDone: 0, passagesTotal: 2_000, running: 3, waiting: 0, reason: null },
    });
    await go(page, "embedding-preference");
    await expect(panel(page).getByText("Embedding 3 documents")).toBeVisible();
    await expect(panel(page)).toContainText("0 of 2,000 passages embedded");
    await expect
      .poll(async () => {
        gateway.index.state.embedding.passagesDone += 1;
        return (await panel(page).textContent())!;
      })
      .toMatch(/passages? per second · about .* left/);
    await expectAccessible(page, { bestPractices: true });
    gateway.index.state.embedding = {
      passagesDone: 0,
      passagesTotal: 2_000,
      running: 0,
      waiting: 3,
      reason: { code: "document.waits-for-embedder" },
    };
    await expect(panel(page).getByText("3 documents aren't embedded yet.")).toBeVisible();
    await expect(panel(page)).toContainText("Waiting for the embedder.");
    gateway.index.state.embedding.waiting = 0;
    await expect(panel(page)).toHaveCount(0);
  });
  test("is hidden if nothing was ever embedded", async ({ page, gateway }) => {
    gateway.index.state.active = null;
    const loaded = page.waitForResponse("**/api/system/index");
    await go(page, "vector-database");
    await expect(page.getByRole("heading", { name: "Vector database" })).toBeVisible();
    await expect(page.getByText("LanceDB").first()).toBeVisible();
    await loaded;
    await settled(page);
    await expect(panel(page)).toHaveCount(0);
  });
  test("updates during a build, which can be cancelled", async ({ page, gateway }) => {
    gateway.index.build(0.25);
    await go(page, "embedding-preference");
    await expect(panel(page).getByText("Building text-embedding-3-large in LanceDB")).toBeVisible();
    await expect(panel(page)).toContainText("Search uses the current index until it's done.");
    await expect(panel(page)).toContainText("6 of 24 documents · about 11 minutes left");
    gateway.index.build(0.5, {
      state: "waiting",
      fault: { code: "provider.unreachable", params: { vendor: "Ollama", origin: "http://box" } },
    });
    await expect.poll(() => gateway.watchers).toBe(1);
    gateway.change({ type: "index.changed" });
    await expect(panel(page).getByText("12 of 24 documents")).toBeVisible();
    await expect(panel(page).getByText("Couldn't reach Ollama at http://box.")).toBeVisible();
    await panel(page).getByRole("button", { name: "Stop building" }).click();
    await expect(
      dialog(page).getByText("the settings return to those of the active index"),
    ).toBeVisible();
    await dialog(page).getByRole("button", { name: "Stop building" }).click();
    await expect(page.getByText("The current index stays active.")).toBeVisible();
    await expect(panel(page).getByText("Building")).toHaveCount(0);
    await expect.poll(() => gateway.index.acts).toEqual(["stop"]);
  });
  test("offers to restore or delete the previous index", async ({ page, gateway }) => {
    gateway.index.state = {
      ...gateway.index.state,
      active: large,
      previous: { target: minilm, since: new Date().toISOString() },
    };
    await go(page, "vector-database");
    await expect(
      panel(page).getByText("Previous index: all-MiniLM-L6-v2 in LanceDB"),
    ).toBeVisible();
    gateway.index.refuse = "No index is being built.";
    await panel(page).getByRole("button", { name: "Delete previous index" }).click();
    await dialog(page).getByRole("button", { name: "Delete previous index" }).click();
    await expect(page.getByText("Something went wrong: No index is being built.")).toBeVisible();
    await panel(page).getByRole("button", { name: "Switch back" }).click();
    await dialog(page).getByRole("button", { name: "Switch back" }).click();
    await expect(page.getByText("The previous index is active again.")).toBeVisible();
    await expect.poll(() => gateway.index.acts).toEqual(["undo"]);
  });
  test("explains why the selected embedder is not used", async ({ page, gateway }) => {
    gateway.index.state = {
      ...gateway.index.state,
      wanted: large,
      reason: { code: "provider.key-missing", params: { vendor: "OpenAI" } },
    };
    await go(page, "embedding-preference");
    await expect(panel(page).getByText("No API key is set for OpenAI.")).toBeVisible();
    await panel(page).getByRole("button", { name: "Keep the current index" }).click();
    await dialog(page).getByRole("button", { name: "Keep the current index" }).click();
    await expect(panel(page).getByText("No API key is set for OpenAI.")).toHaveCount(0);
  });
});

test.describe("text splitting", () => {
  test("respects the embedder's limit, and keeps what was typed when saving fails", async ({
    page,
    gateway,
  }) => {
    await go(page, "text-splitter-preference");
    const size = page.getByLabel("Passage length, in characters");
    const overlap = page.getByLabel("Passage overlap, in characters");
    await expect
      .poll(async () => [await size.inputValue(), await overlap.inputValue()])
      .toEqual(["1000", "20"]);
    await size.fill("4000");
    await expect(page.getByText("Enter 50 to 1,000 characters.")).toBeVisible();
    await page.getByRole("button", { name: "Save changes" }).click();
    await expect.poll(() => gateway.index.acts).toEqual([]);
    await size.fill("400");
    await overlap.fill("300");
    await expect(
      page.getByText("Enter a number of at most half the passage length."),
    ).toBeVisible();
    await overlap.fill("40");
    gateway.index.refuse = "The database is being restored.";
    await page.getByRole("button", { name: "Save changes" }).click();
    await expect(
      page.getByText("Couldn't save text splitting: The server didn't accept this."),
    ).toBeVisible();
    await expect(size).toHaveValue("400");
    await page.getByRole("button", { name: "Save changes" }).click();
    await expect(page.getByText("Text splitting saved.")).toBeVisible();
    await expect
      .poll(() => gateway.index.preferences)
      .toMatchObject({
        text_splitter_chunk_size: "400",
        text_splitter_chunk_overlap: "40",
      });
    await page.reload();
    await expect(size).toHaveValue("400");
  });
});

test("are accessible", async ({ page, gateway }) => {
  gateway.index.build(0.4, {
    state: "failed",
    fault: { code: "provider.key-rejected", params: { vendor: "OpenAI", status: " (401)" } },
  });
  for (const [path, text] of [
    ["embedding-preference", "OpenAI rejected the key (401)."],
    ["text-splitter-preference", "Passage overlap"],
  ] as const) {
    await go(page, path);
    await expect(page.getByText(text).first()).toBeVisible();
    await expectAccessible(page, { bestPractices: true });
  }
});
