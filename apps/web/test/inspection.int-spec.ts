import { beforeEach, describe, expect, it } from "@jest/globals";
import { AxeBuilder } from "@axe-core/playwright";
import { poll } from "@carrel/testing";
import type { Page } from "playwright-core";
import type { FakeGateway } from "./fake-gateway.ts";
import { inspected } from "./fake-inspection.ts";
import { settled, useWebBrowser } from "./web-browser.ts";

const web = useWebBrowser();
let gateway: FakeGateway;
let page: Page;
const take = (): void => {
  ({ gateway, page } = web);
};
beforeEach(take);
const panel = () => page.getByRole("complementary", { name: "How it was found" });
const trial = () => page.getByRole("complementary", { name: "Try a search" });
const openPanel = async (): Promise<void> => {
  gateway.pace = 1;
  await page.goto(web.thread());
  await web.ask("And in the 1990s blocks?");
  await page.getByText("412 tokens").waitFor();
  await page.getByRole("article", { name: "Answer" }).last().hover();
  await page.getByRole("button", { name: "More for this answer" }).last().click();
  await page.getByRole("menuitem", { name: "How it was found" }).click();
  await panel().waitFor();
};
const openTrial = async (): Promise<void> => {
  await page.goto(`${gateway.url}/workspace/heat-pump-retrofit/settings/vector-database`);
  await page.getByRole("button", { name: "Try a search" }).click();
  await trial().waitFor();
};

describe("how an answer was found", () => {
  it("shows what was searched, every candidate with what became of it, and the prompt by tokens", async () => {
    await openPanel();
    await panel().getByText("with the question before it").waitFor();
    await poll(() => panel().locator(".insp-words li").allTextContents()).toEqual([
      "flow21\u00a0%",
      "temperature18\u00a0%",
      "199040\u00a0%".replace("1990", "1990s"),
      "courtyards–",
    ]);
    await poll(() => panel().textContent()).toContain(
      "Widened by what the first hits share: radiator, supply",
    );
    await poll(() => panel().locator(".insp-hit .badge").allTextContents()).toEqual([
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
    await panel().getByText("214 passages, the best 10 are shown").waitFor();
    await panel()
      .getByRole("button", { name: /Heat-pump field trial \(copy\)/ })
      .click();
    await panel().getByText("It says the same as number 2.").waitFor();
    await panel().getByRole("checkbox", { name: "Only what was kept" }).check();
    await poll(() => panel().locator(".insp-hit").count()).toBe(3);
    await panel().getByText("4,010 of 8,192 tokens").waitFor();
    await poll(() => panel().locator(".insp-parts dt").allTextContents()).toEqual([
      "System prompt",
      "Pinned documents",
      "Passages",
      "Earlier turns",
      "Question",
    ]);
    await panel().getByText("6 of 14 earlier turns were told.").waitFor();
    await panel().getByText("page 31 · found · whole · source 1").waitFor();
  });
  it("shows parts of a prompt that it does not know yet, under their own names", async () => {
    Object.assign(gateway.inspection.kept!.prompt!.tokens, { memories: 60, "tool results": 90 });
    await openPanel();
    await poll(() => panel().locator(".insp-parts dt").allTextContents()).toEqual([
      "System prompt",
      "Memories",
      "Pinned documents",
      "Passages",
      "Earlier turns",
      "Question",
      "tool results",
    ]);
    await panel().locator(".insp-parts").getByText("90", { exact: true }).waitFor();
  });
  it("closes with Escape, gives way to a source and comes back", async () => {
    await openPanel();
    await page.keyboard.press("Escape");
    await panel().waitFor({ state: "detached" });
    await page
      .getByRole("button", { name: /Source 1/ })
      .first()
      .click();
    await page
      .getByRole("tab", { name: "Document" })
      .or(page.locator("#panel-page"))
      .first()
      .waitFor();
    await poll(() =>
      page.getByRole("complementary").filter({ hasText: "What was searched" }).count(),
    ).toBe(0);
  });
  it("says so where nothing is kept, and where documents were quoted without a model", async () => {
    gateway.inspection.kept = null;
    await openPanel();
    await panel().getByText("Nothing is kept about how this answer was found.").waitFor();
    gateway.inspection.kept = inspected({ provider: "extractive", model: null, prompt: null });
    await openPanel();
    await panel().getByText("No language model took part").waitFor();
    await panel().getByText("What could be quoted").waitFor();
    await poll(() =>
      panel()
        .getByText(/\d tokens/)
        .count(),
    ).toBe(0);
  });
});

describe("the try-out", () => {
  it("searches with what is chosen, and keeps what was typed when it fails", async () => {
    await openTrial();
    await trial().getByLabel("Question", { exact: true }).fill("What about night tariffs?");
    await trial().getByRole("button", { name: "More choices" }).click();
    await trial().getByLabel("Tag").selectOption("block C");
    await trial().getByLabel("Passages").fill("8");
    await trial().getByLabel("Rerank").selectOption("off");
    await trial().getByLabel("Widen the search by the first hits").uncheck();
    gateway.inspection.refuse = "The search index is away.";
    await trial().getByRole("button", { name: "Search", exact: true }).click();
    await trial().getByText("The search failed: The search index is away.").waitFor();
    await trial().getByLabel("Question", { exact: true }).press("Enter");
    await trial().getByText("What the model would be given").waitFor();
    await poll(() => gateway.inspection.trials).toHaveLength(2);
    await poll(() => gateway.inspection.trials[1]).toEqual({
      question: "What about night tariffs?",
      mode: "hybrid",
      expansion: false,
      rerank: false,
      topN: 8,
      filter: { tags: ["block C"] },
    });
    await page.keyboard.press("Escape");
    await trial().waitFor({ state: "detached" });
    await poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe("Try a search");
  });
});

it.each(["default", "light"])("has no serious fault of accessibility, %s", async (theme) => {
  await web.open({ colorScheme: theme === "light" ? "light" : "dark" });
  take();
  await openPanel();
  await panel()
    .getByRole("button", { name: /Retrofit survey/ })
    .first()
    .click();
  await panel().getByText("It went into the prompt.").waitFor();
  const check = async (): Promise<void> => {
    await settled(page);
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(
      violations
        .filter(({ impact }) => impact === "serious" || impact === "critical")
        .map(({ id, nodes }) => [id, nodes[0]?.html]),
    ).toEqual([]);
  };
  await check();
  await openTrial();
  await trial().getByRole("button", { name: "More choices" }).click();
  await trial().getByLabel("Rerank").waitFor();
  await check();
});
