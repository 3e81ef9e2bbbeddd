import type { Page } from "@playwright/test";
import { expectAccessible } from "./accessibility.ts";
import { harbourText } from "./fake-data.ts";
import type { FakeGateway } from "./fake-gateway.ts";
import { inspected } from "./fake-inspection.ts";
import { ask, expect, test, threadPath } from "./fixtures.ts";
const panel = (page: Page) =>
  page.getByRole("complementary", { name: "How this answer was found" });
const trial = (page: Page) => page.getByRole("complementary", { name: "Try a search" });
const openPanel = async (page: Page, gateway: FakeGateway): Promise<void> => {
  gateway.pace = 1;
  const earlier = gateway.turns["heat-pump-retrofit/flow"]?.length ?? 0;
  await page.goto(threadPath);
  await ask(page, "And in the 1990s blocks?");
  await expect(page.getByText("412 tokens")).toHaveCount(earlier + 1);
  await page.getByRole("article", { name: "Answer" }).last().hover();
  await page.getByRole("button", { name: "More actions for this answer" }).last().click();
  await page.getByRole("menuitem", { name: "How this answer was found" }).click();
  await expect(panel(page)).toBeFocused();
};
const openTrial = async (page: Page): Promise<void> => {
  await page.goto("/workspace/heat-pump-retrofit/settings/vector-database");
  await page.getByRole("button", { name: "Try a search" }).click();
  await expect(trial(page)).toBeVisible();
};

test.describe("retrieval inspector", () => {
  test("shows what was searched, every candidate with its outcome, and the prompt by tokens", async ({
    page,
    gateway,
  }) => {
    await openPanel(page, gateway);
    await expect(panel(page).getByText("with the previous question")).toBeVisible();
    await expect(panel(page).locator("[data-found]")).toHaveText([
      "flow21%",
      "temperature18%",
      "1990s40%",
      "courtyards–",
    ]);
    await expect(panel(page)).toContainText(
      "Expanded with terms from the top results: radiator, supply",
    );
    await expect(panel(page).locator("[data-fate]")).toHaveText([
      "Kept",
      "Kept",
      "Merged",
      "Duplicate",
      "Full document included",
      "Below top N",
      "Didn't fit",
      "Not quoted",
      "Below minimum score",
      "Below top N",
    ]);
    await expect(panel(page).getByText("214 passages, showing the top 10")).toBeVisible();
    await panel(page)
      .getByRole("button", { name: /Heat-pump field trial \(copy\)/ })
      .click();
    await expect(panel(page).getByText("It repeats result 2.")).toBeVisible();
    await panel(page).getByRole("checkbox", { name: "Only passages that were kept" }).check();
    await expect(panel(page).locator("[data-fate]")).toHaveCount(3);
    await expect(panel(page).getByText("4,010 of 8,192 tokens")).toBeVisible();
    await expect(panel(page).locator("[data-prompt-parts] dt")).toHaveText([
      "System prompt",
      "Pinned documents",
      "Passages",
      "Chat history",
      "Question",
    ]);
    await expect(panel(page).getByText("6 of 14 earlier turns included.")).toBeVisible();
    await expect(panel(page).getByText("page 31 · found · in full · source 1")).toBeVisible();
  });
  test("shows unknown parts of a prompt under their own names", async ({ page, gateway }) => {
    Object.assign(gateway.inspection.kept!.prompt!.tokens, { memories: 60, "tool results": 90 });
    await openPanel(page, gateway);
    await expect(panel(page).locator("[data-prompt-parts] dt")).toHaveText([
      "System prompt",
      "Memories",
      "Pinned documents",
      "Passages",
      "Chat history",
      "Question",
      "tool results",
    ]);
    await expect(
      panel(page).locator("[data-prompt-parts]").getByText("90", { exact: true }),
    ).toBeVisible();
  });
  test("closes with Escape, makes room for a source and returns", async ({ page, gateway }) => {
    await openPanel(page, gateway);
    await page.keyboard.press("Escape");
    await expect(panel(page)).toHaveCount(0);
    await page
      .getByRole("button", { name: /Source 1/ })
      .first()
      .click();
    await expect(
      page.getByRole("tab", { name: "Document" }).or(page.locator("#panel-page")).first(),
    ).toBeVisible();
    await expect(
      page.getByRole("complementary").filter({ hasText: "What was searched" }),
    ).toHaveCount(0);
  });
  test("says if no record was kept, or if documents were quoted without a model", async ({
    page,
    gateway,
  }) => {
    gateway.inspection.kept = null;
    await openPanel(page, gateway);
    await expect(panel(page).getByText("No details are stored for this answer.")).toBeVisible();
    gateway.inspection.kept = inspected({ provider: "extractive", model: null, prompt: null });
    await openPanel(page, gateway);
    await expect(panel(page).getByText("No language model was used")).toBeVisible();
    await expect(panel(page).getByText("Available for quoting")).toBeVisible();
    await expect(panel(page).getByText(/\d tokens/)).toHaveCount(0);
  });
});

test.describe("retrieval trial", () => {
  test("searches with the chosen options, and keeps what was typed when it fails", async ({
    page,
    gateway,
  }) => {
    await openTrial(page);
    await trial(page).getByLabel("Question", { exact: true }).fill("What about night tariffs?");
    await trial(page).getByRole("button", { name: "More options" }).click();
    await trial(page).getByLabel("Tag").selectOption("block C");
    await trial(page).getByLabel("Passages").fill("8");
    await trial(page).getByLabel("Rerank").selectOption("off");
    await trial(page).getByLabel("Expand the query with terms from the top results").uncheck();
    gateway.inspection.refuse = "The search index is away.";
    await trial(page).getByRole("button", { name: "Search", exact: true }).click();
    await expect(
      trial(page).getByText("Search failed: The server didn't accept this."),
    ).toBeVisible();
    await trial(page).getByLabel("Question", { exact: true }).press("Enter");
    await expect(trial(page).getByText("What the model would receive")).toBeVisible();
    await expect.poll(() => gateway.inspection.trials).toHaveLength(2);
    await expect
      .poll(() => gateway.inspection.trials[1])
      .toEqual({
        question: "What about night tariffs?",
        mode: "hybrid",
        expansion: false,
        rerank: false,
        topN: 8,
        filter: { tags: ["block C"] },
      });
    // The text of a passage is loaded when it is opened.
    await trial(page)
      .getByRole("button", { name: /Heat-pump field trial \(copy\)/ })
      .click();
    await expect(trial(page).locator("blockquote")).toHaveText(harbourText.slice(3_600, 3_900));
    await page.keyboard.press("Escape");
    await expect(trial(page)).toHaveCount(0);
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.textContent))
      .toBe("Try a search");
  });
});

test("the inspector is accessible", async ({ page, gateway }) => {
  await openPanel(page, gateway);
  await panel(page)
    .getByRole("button", { name: /Retrofit survey/ })
    .first()
    .click();
  await expect(panel(page).getByText("It was included in the prompt.")).toBeVisible();
  await expectAccessible(page, { bestPractices: true });
});
test("the retrieval trial is accessible", async ({ page }) => {
  await openTrial(page);
  await trial(page).getByRole("button", { name: "More options" }).click();
  await expect(trial(page).getByLabel("Rerank")).toBeVisible();
  await expectAccessible(page, { bestPractices: true });
});
