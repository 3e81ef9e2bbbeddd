import type { Page } from "@playwright/test";
import type { FakeGateway } from "./fake-gateway.ts";
import { ask, expect, test, threadPath } from "./fixtures.ts";
import { expectAccessible } from "./accessibility.ts";
import { inspected } from "./fake-inspection.ts";
const panel = (page: Page) => page.getByRole("complementary", { name: "How it was found" });
const trial = (page: Page) => page.getByRole("complementary", { name: "Try a search" });
const openPanel = async (page: Page, gateway: FakeGateway): Promise<void> => {
  gateway.pace = 1;
  await page.goto(threadPath);
  await ask(page, "And in the 1990s blocks?");
  await expect(page.getByText("412 tokens")).toBeVisible();
  await page.getByRole("article", { name: "Answer" }).last().hover();
  await page.getByRole("button", { name: "More for this answer" }).last().click();
  await page.getByRole("menuitem", { name: "How it was found" }).click();
  await expect(panel(page)).toBeVisible();
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
    await expect(panel(page).getByText("with the question before it")).toBeVisible();
    await expect(panel(page).locator(".insp-words li")).toHaveText([
      "flow21\u00a0%",
      "temperature18\u00a0%",
      "199040\u00a0%".replace("1990", "1990s"),
      "courtyards–",
    ]);
    await expect(panel(page)).toContainText(
      "Widened by what the first hits share: radiator, supply",
    );
    await expect(panel(page).locator(".insp-hit .badge")).toHaveText([
      "Kept",
      "Kept",
      "Joined",
      "Duplicate",
      "Document given in full",
      "Enough better ones",
      "No room",
      "Not quoted",
      "Score too low",
      "Enough better ones",
    ]);
    await expect(panel(page).getByText("214 passages, the best 10 are shown")).toBeVisible();
    await panel(page)
      .getByRole("button", { name: /Heat-pump field trial \(copy\)/ })
      .click();
    await expect(panel(page).getByText("It says the same as number 2.")).toBeVisible();
    await panel(page).getByRole("checkbox", { name: "Only what was kept" }).check();
    await expect(panel(page).locator(".insp-hit")).toHaveCount(3);
    await expect(panel(page).getByText("4,010 of 8,192 tokens")).toBeVisible();
    await expect(panel(page).locator(".insp-parts dt")).toHaveText([
      "System prompt",
      "Pinned documents",
      "Passages",
      "Earlier turns",
      "Question",
    ]);
    await expect(panel(page).getByText("6 of 14 earlier turns were told.")).toBeVisible();
    await expect(panel(page).getByText("page 31 · found · whole · source 1")).toBeVisible();
  });
  test("shows parts of a prompt that it does not know under their own names", async ({
    page,
    gateway,
  }) => {
    Object.assign(gateway.inspection.kept!.prompt!.tokens, { memories: 60, "tool results": 90 });
    await openPanel(page, gateway);
    await expect(panel(page).locator(".insp-parts dt")).toHaveText([
      "System prompt",
      "Memories",
      "Pinned documents",
      "Passages",
      "Earlier turns",
      "Question",
      "tool results",
    ]);
    await expect(panel(page).locator(".insp-parts").getByText("90", { exact: true })).toBeVisible();
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
  test("says so if no record was kept, or if documents were quoted without a model", async ({
    page,
    gateway,
  }) => {
    gateway.inspection.kept = null;
    await openPanel(page, gateway);
    await expect(
      panel(page).getByText("Nothing is kept about how this answer was found."),
    ).toBeVisible();
    gateway.inspection.kept = inspected({ provider: "extractive", model: null, prompt: null });
    await openPanel(page, gateway);
    await expect(panel(page).getByText("No language model took part")).toBeVisible();
    await expect(panel(page).getByText("What could be quoted")).toBeVisible();
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
    await trial(page).getByRole("button", { name: "More choices" }).click();
    await trial(page).getByLabel("Tag").selectOption("block C");
    await trial(page).getByLabel("Passages").fill("8");
    await trial(page).getByLabel("Rerank").selectOption("off");
    await trial(page).getByLabel("Widen the search by the first hits").uncheck();
    gateway.inspection.refuse = "The search index is away.";
    await trial(page).getByRole("button", { name: "Search", exact: true }).click();
    await expect(
      trial(page).getByText("The search failed: The search index is away."),
    ).toBeVisible();
    await trial(page).getByLabel("Question", { exact: true }).press("Enter");
    await expect(trial(page).getByText("What the model would be given")).toBeVisible();
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
    await page.keyboard.press("Escape");
    await expect(trial(page)).toHaveCount(0);
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.textContent))
      .toBe("Try a search");
  });
});

for (const theme of ["default", "light"])
  test.describe(() => {
    test.use({ colorScheme: theme === "light" ? "light" : "dark" });
    test(`is accessible, ${theme}`, async ({ page, gateway }) => {
      await openPanel(page, gateway);
      await panel(page)
        .getByRole("button", { name: /Retrofit survey/ })
        .first()
        .click();
      await expect(panel(page).getByText("It went into the prompt.")).toBeVisible();
      const check = async (): Promise<void> => {
        await expectAccessible(page, { bestPractices: true });
      };
      await check();
      await openTrial(page);
      await trial(page).getByRole("button", { name: "More choices" }).click();
      await expect(trial(page).getByLabel("Rerank")).toBeVisible();
      await check();
    });
  });
