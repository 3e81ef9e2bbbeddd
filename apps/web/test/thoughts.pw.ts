import type { Locator, Page } from "@playwright/test";
import { expectAccessible } from "./accessibility.ts";
import { button, open, sent, slug } from "./chat-page.ts";
import { ask, expect, phone, test, threadPath } from "./fixtures.ts";

const thought = "The user asks for the flow temperature. Section 4.2 gives it.";
const answer = "The flow temperature is 48 °C [1].";
const turn = (page: Page): Locator => page.getByRole("article", { name: "Answer" });
const panel = (page: Page): Locator => page.getByRole("group", { name: "The model's reasoning" });
const seconds = (name: string): RegExp => new RegExp(`^${name}\\s\\d+s$`);

test.describe("what a model thinks", () => {
  test("streams into a collapsed block, above the answer", async ({ page, gateway }) => {
    Object.assign(gateway, {
      answer,
      thinking: { text: thought, milliseconds: 3_100 },
      heldAfter: 8,
    });
    await open(page);
    await ask(page, "Which temperature?");
    const thinking = button(page, seconds("Thinking…"));
    await expect(thinking).toHaveAttribute("aria-expanded", "false");
    await expect(page.getByText("The user asks")).toHaveCount(0);
    await expect(page.getByText("<think>")).toHaveCount(0);
    const before = await thinking.boundingBox();
    await thinking.click();
    await expect(panel(page)).toContainText("The user asks for");
    await expect.poll(() => thinking.boundingBox()).toEqual(before);
    await expect(thinking).toHaveText(/[2-9]s/);
    gateway.heldAfter = null;
    await expect(button(page, "Thought for 3s")).toHaveAttribute("aria-expanded", "true");
    await expect(panel(page)).toHaveText(thought);
    await expect(turn(page)).toContainText("The flow temperature is 48 °C");
    await expect(turn(page).locator("[data-cite]")).toHaveText("1");
    await button(page, "Thought for 3s").press("Enter");
    await expect(panel(page)).toHaveCount(0);
  });

  test("is still there after a reload, with its time", async ({ page, gateway }) => {
    Object.assign(gateway, { answer, thinking: { text: thought, milliseconds: 72_000 }, pace: 1 });
    await open(page);
    await ask(page, "Which temperature?");
    await expect(page.getByText("412 tokens")).toBeVisible();
    await page.reload();
    await button(page, "Thought for 1m 12s").click();
    await expect(panel(page)).toHaveText(thought);
  });

  test("continues after a reload", async ({ page, gateway }) => {
    Object.assign(gateway, {
      answer,
      thinking: { text: thought, milliseconds: 3_000 },
      heldAfter: 8,
    });
    await open(page);
    await ask(page, "Which temperature?");
    await expect(button(page, seconds("Thinking…"))).toBeVisible();
    await page.reload();
    await button(page, seconds("Thinking…")).click();
    await expect(panel(page)).toContainText("The user asks for");
    gateway.heldAfter = null;
    await expect(button(page, "Thought for 3s")).toBeVisible();
    await expect(turn(page)).toContainText("48 °C");
  });

  test("takes in text that turns out to be reasoning", async ({ page, gateway }) => {
    const thinking = { text: thought, milliseconds: 3_000, wasText: true };
    Object.assign(gateway, { answer, thinking, heldAfter: 8 });
    await open(page);
    await ask(page, "Which temperature?");
    await expect(turn(page)).toContainText("The user asks for");
    gateway.heldAfter = null;
    await expect(button(page, "Thought for 3s")).toBeVisible();
    await expect(turn(page)).toContainText("48 °C");
    await expect(turn(page)).not.toContainText("The user asks");
  });

  test("is left out of copied and edited answers", async ({ page, gateway, context }) => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    const reasoning = [{ at: 0, text: thought, milliseconds: 3_000 }];
    gateway.addTurn(slug, "flow", { question: "Which?", answer: "It is 48 °C.", reasoning });
    await page.goto(threadPath);
    await turn(page).hover();
    await turn(page).getByRole("button", { name: "Copy" }).click();
    await expect
      .poll(() => page.evaluate(() => navigator.clipboard.readText()))
      .toBe("It is 48 °C.");
    await button(page, "Edit answer").click();
    const editor = page.getByLabel("Edit answer").and(page.locator("textarea"));
    await expect(editor).toHaveValue("It is 48 °C.");
    await editor.fill("It is 50 °C.");
    await button(page, "Save answer").click();
    await expect
      .poll(() => sent(gateway, /update-chat/))
      .toMatchObject([{ newText: "It is 50 °C.", keepReasoning: true }]);
  });

  test("is shown between the steps of an answer, and without one", async ({ page, gateway }) => {
    gateway.addTurn(slug, "flow", {
      question: "First?",
      answer: "I'll look.\n\nIt is 48 °C.",
      reasoning: [
        { at: 0, text: "One.", milliseconds: 1_000 },
        { at: 0, text: "Two.", milliseconds: 2_000 },
        { at: 10, text: "Three.", milliseconds: null },
      ],
    });
    gateway.addTurn(slug, "flow", {
      question: "Second?",
      answer: "",
      reasoning: [{ at: 0, text: "Hm.", milliseconds: 5_000 }],
    });
    await page.goto(threadPath);
    const [first, second] = [turn(page).nth(0), turn(page).nth(1)];
    await expect(first).toHaveText(/^Thought for 3sI'll look\.ThoughtIt is 48 °C\./);
    await first.getByRole("button", { name: "Thought", exact: true }).click();
    await expect(panel(page)).toHaveText("Three.");
    await expect(second).toContainText("The model stopped before it wrote an answer.");
    await second.getByRole("button", { name: "Thought for 5s" }).click();
    await expect(panel(page)).toHaveText(["Three.", "Hm."]);
    await expectAccessible(page);
  });

  test("opens in place, however long it is", async ({ page, gateway }) => {
    const text = Array.from(
      { length: 1_500 },
      (_, line) => `${line}. A thought about pipes, **again** and again.\n`,
    ).join("\n");
    const reasoning = [{ at: 0, text, milliseconds: 90_000 }];
    for (const question of ["First?", "Second?", "Third?"])
      gateway.addTurn(slug, "flow", { question, answer: `${answer}\n\n`.repeat(12), reasoning });
    await page.goto(threadPath);
    const title = turn(page).last().getByRole("button", { name: "Thought for 1m 30s" });
    await title.scrollIntoViewIfNeeded();
    const before = (await title.boundingBox())!;
    const began = await page.evaluate(() => performance.now());
    await title.click();
    await expect(panel(page)).toBeVisible();
    expect(await page.evaluate((from) => performance.now() - from, began)).toBeLessThan(2_000);
    await expect.poll(async () => (await title.boundingBox())?.y).toBeCloseTo(before.y, 0);
    expect((await panel(page).boundingBox())!.height).toBeLessThan(400);
  });
});

test.describe("what a model thinks, on a phone", () => {
  test.use(phone);
  test("opens within the page's width", async ({ page, gateway }) => {
    const reasoning = [{ at: 0, text: `${thought} ${"wide".repeat(200)}`, milliseconds: 3_000 }];
    gateway.addTurn(slug, "flow", { question: "Which?", answer, reasoning });
    await page.goto(threadPath);
    await button(page, "Thought for 3s").tap();
    await expect(panel(page)).toBeVisible();
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    await expectAccessible(page);
  });
});

test("a shared conversation shows it collapsed", async ({ page, gateway }) => {
  const reasoning = [{ at: 0, text: thought, milliseconds: 3_000 }];
  gateway.shares.shared["token-1"] = {
    name: "Pipes",
    audience: "anyone",
    turns: [
      {
        question: "Which?",
        answer: "It is 48 °C.",
        reasoning,
        sentAt: new Date(0).toISOString(),
        model: "m",
        sources: [],
      },
    ],
  };
  await page.goto("/share/token-1");
  await expect(page.getByText("It is 48 °C.")).toBeVisible();
  await expect(page.getByText(thought)).toHaveCount(0);
  await button(page, "Thought for 3s").click();
  await expect(panel(page)).toHaveText(thought);
});
