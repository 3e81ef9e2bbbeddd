import type { Page } from "@playwright/test";
import { expectAccessible } from "./accessibility.ts";
import { signedIn } from "./account-screens.ts";
import { open, slug } from "./chat-page.ts";
import { closestAnswer, quoteMetrics, sources } from "./fake-data.ts";
import type { FakeGateway } from "./fake-gateway.ts";
import { ask, expect, test, threadPath } from "./fixtures.ts";

const closest = (page: Page) => page.getByRole("region", { name: "Closest passages" });
const noModel = (page: Page) => page.getByText("No language model is set up");

test("shows the closest passages as soon as they are written, and opens them", async ({
  page,
  gateway,
}) => {
  const found = sources().slice(0, 3);
  Object.assign(gateway, {
    answer: closestAnswer,
    sources: found,
    metrics: quoteMetrics("closest-passages"),
    extraFrames: [{ type: "generationSources", sources: found, answerKind: "closest-passages" }],
    partLength: 400,
    heldAfter: 7,
  });
  await open(page);
  await ask(page, "Who balances the risers?");
  const passages = closest(page)
    .getByRole("listitem")
    .filter({ has: page.getByRole("figure") });
  // Held before its end, so the kind of answer isn't known from there.
  await expect(passages).toHaveCount(3);
  gateway.heldAfter = null;
  await expect(page.getByRole("button", { name: "Regenerate" })).toBeVisible();
  await page.reload();
  await expect(closest(page)).toContainText("No sentence answers this directly.");
  await expect(passages).toHaveCount(3);
  await expect(passages.nth(0)).toContainText("Retrofit survey 2024.pdf");
  await expect(passages.nth(0)).toContainText("p. 14 · 4.3 Emitter capacity");
  await expect(passages.nth(1).getByRole("table")).toContainText("Seasonal factor");
  await expect(passages.nth(2).locator("ol li")).toHaveText([
    "Open all thermostats for 24 hours.",
    "Balance the risers.",
  ]);
  await expect(closest(page)).not.toContainText("[");
  await expect(page.getByRole("group", { name: "Sources" })).toHaveCount(0);
  await expectAccessible(page);
  const second = closest(page).getByRole("button", { name: "Heat-pump field trial.pdf" });
  await second.click();
  await expect(second).toHaveAttribute("aria-pressed", "true");
  await expect(
    page.locator("[data-panel]").getByRole("heading", { name: "Heat-pump field trial.pdf" }),
  ).toBeVisible();
});

test("shows the closest passages of a shared thread", async ({ page, gateway }) => {
  gateway.shares.shared["token-of-link"] = {
    name: "Risers",
    audience: "anyone",
    turns: [
      {
        question: "Who balances the risers?",
        answer: closestAnswer,
        answerKind: "closest-passages",
        sentAt: "2026-11-20T09:12:00.000Z",
        model: null,
        sources: sources()
          .slice(0, 3)
          .map(({ title, page: number, text }, index) => ({
            number: index + 1,
            title,
            page: number,
            text,
          })),
      },
    ],
  };
  await page.goto("/share/token-of-link");
  await expect(closest(page).getByRole("figure")).toHaveCount(3);
  await expect(closest(page).getByRole("figure").first()).toContainText("Retrofit survey 2024.pdf");
  await expect(closest(page).getByRole("button")).toHaveCount(0);
  await expect(page.locator("[data-shared-source]")).toHaveCount(0);
});

const nothingFound = "I found nothing in the documents of this workspace that answers this.";
const sayNothing = (gateway: FakeGateway): void =>
  gateway.addTurn(slug, "flow", {
    question: "Who won?",
    answer: nothingFound,
    metrics: quoteMetrics("nothing-found"),
  });

test("points to the model settings only those who can change them, while there is no model", async ({
  page,
  gateway,
}) => {
  sayNothing(gateway);
  await open(page, nothingFound);
  await expect(noModel(page)).toBeVisible();
  await page.getByRole("link", { name: "Choose a model" }).click();
  await expect(page).toHaveURL(/\/settings\/llm-preference$/);
  gateway.settings.LLMProvider = "openai";
  await open(page, nothingFound);
  await expect(page.getByRole("button", { name: "Regenerate" })).toBeVisible();
  await expect(noModel(page)).toHaveCount(0);
});

test("doesn't point members to settings", async ({ page, gateway }) => {
  sayNothing(gateway);
  gateway.accounts.add("jo", "default");
  await signedIn(page, gateway, "jo");
  await page.goto(threadPath);
  await expect(page.getByText(nothingFound)).toBeVisible();
  await expect(page.getByRole("button", { name: "Regenerate" })).toBeVisible();
  await expect(noModel(page)).toHaveCount(0);
});

test("offers general knowledge after a refusal only if there is a model", async ({
  page,
  gateway,
}) => {
  const refuse = (question: string, provider?: string): void =>
    gateway.addTurn(slug, "flow", {
      question,
      answer: "There is no relevant information.",
      mode: "query",
      refused: true,
      metrics: { ...quoteMetrics(), ...(provider && { provider }) },
    });
  refuse("Quoted?");
  await open(page, "There is no relevant information.");
  await expect(page.getByRole("button", { name: "Regenerate" })).toBeVisible();
  await expect(page.getByText("Switch to Chat")).toHaveCount(0);
  refuse("Written?", "openai");
  await page.reload();
  await expect(page.getByText("Switch to Chat")).toHaveCount(1);
});
