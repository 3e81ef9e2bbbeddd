import { ask, expect, test, threadPath } from "./fixtures.ts";

test.describe("sources of an answer", () => {
  test("are chips if they are cited, the others behind a button", async ({ page, gateway }) => {
    gateway.pace = 1;
    gateway.answer = "Most radiators are large enough [1], as measured [3].";
    await page.goto(threadPath);
    await ask(page, "Which?");
    await expect(page.getByText("412 tokens")).toBeVisible();
    const chips = page.locator("[data-chips]").getByRole("button");
    const more = gateway.sources.length - 2;
    await expect(chips).toHaveText([/^1/, /^3/, `${more} more sources`]);
    await page.getByRole("button", { name: `${more} more sources` }).click();
    await expect(chips).toHaveCount(gateway.sources.length + 1);
    await page.getByRole("button", { name: "Show fewer" }).click();
    await expect(chips).toHaveCount(3);
  });
  test("are copied with the answer on demand", async ({ page, context, gateway }) => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    gateway.pace = 1;
    gateway.answer = "Most radiators are large enough [1].";
    await page.goto(threadPath);
    await ask(page, "Which?");
    await page.getByRole("button", { name: "Copy with sources" }).click();
    await expect
      .poll(() => page.evaluate(() => navigator.clipboard.readText()))
      .toMatch(/^Most radiators are large enough \[1\]\.\n\nSources:\n\[1\] .+\n$/);
  });
  test("aren't shown under an error, and neither are its metrics", async ({ page, gateway }) => {
    gateway.addTurn("heat-pump-retrofit", "flow", {
      question: "Which?",
      answer: "Most [1]",
      sources: gateway.sources,
      state: "failed",
      error: "The provider failed.",
    });
    await page.goto(threadPath);
    await expect(page.getByText("The text so far is kept.")).toBeVisible();
    await expect(page.locator("[data-chips]")).toHaveCount(0);
    await expect(page.locator("[data-meta]")).toHaveCount(0);
  });
  test("show a preview while the pointer or focus is on a number, and Esc closes it", async ({
    page,
    gateway,
  }) => {
    gateway.pace = 1;
    gateway.answer = "Most radiators are large enough [1].";
    await page.goto(threadPath);
    await ask(page, "Which?");
    await expect(page.getByText("412 tokens")).toBeVisible();
    const mark = page.locator(".md").getByRole("button", { name: /^Source 1/ });
    const card = page.locator("[data-citation-preview]");
    await mark.hover();
    await expect(card).toContainText(gateway.sources[0]!.title);
    await expect(card).toContainText(gateway.sources[0]!.text.slice(0, 40));
    await card.hover();
    await expect(card).toBeVisible();
    await page.mouse.move(5, 5);
    await expect(card).toHaveCount(0);
    await page.keyboard.press("Tab");
    await mark.focus();
    await expect(card).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(card).toHaveCount(0);
    await expect(mark).toBeFocused();
  });
});
