import type { Page } from "@playwright/test";
import { expectAccessible } from "./accessibility.ts";
import { expect, phone, test, threadPath } from "./fixtures.ts";

const field = (page: Page) => page.getByRole("textbox", { name: "Message" });
const list = (page: Page) => page.getByRole("listbox", { name: /^Choose a document/ });
const chips = (page: Page) => page.getByRole("list", { name: "For this question" });

test.describe("mentions", () => {
  test("restrict one question to documents and give it a model", async ({ page, gateway }) => {
    gateway.pace = 1;
    await page.goto("/workspace/heat-pump-retrofit");
    await field(page).pressSequentially("What does @");
    const first = list(page).getByRole("option").first();
    await expect(first).toHaveAttribute("aria-selected", "true");
    const name = (await first.locator("b").textContent()) ?? "";
    await page.keyboard.press("Enter");
    await expect(list(page)).toHaveCount(0);
    await expect(field(page)).toHaveValue("What does ");
    await expect(chips(page).getByRole("listitem")).toHaveText([name]);
    await page.keyboard.type("it say? @qwen");
    await list(page).getByRole("option", { name: "Qwen 3 8B" }).click();
    await expect(chips(page).getByRole("listitem")).toHaveText([name, "Qwen 3 8B"]);
    await expectAccessible(page);
    await page.keyboard.press("Enter");
    await expect
      .poll(() => gateway.asked)
      .toEqual([
        expect.objectContaining({
          message: "What does it say?",
          places: { documentIds: [expect.any(String)], folders: [] },
          modelChoice: { provider: "ollama", model: "qwen3:8b" },
        }),
      ]);
    await expect(chips(page)).toHaveCount(0);
    await expect(page.getByText("412 tokens")).toBeVisible();
    await field(page).fill("And now?");
    await page.keyboard.press("Enter");
    await expect.poll(() => gateway.asked.length).toBe(2);
    await expect.poll(() => gateway.asked[1]).not.toHaveProperty("places");
  });

  test("are shown in the question, also after a reload and when it is asked again", async ({
    page,
    gateway,
  }) => {
    gateway.pace = 1;
    await page.goto("/workspace/heat-pump-retrofit");
    await field(page).pressSequentially("What does @");
    const first = list(page).getByRole("option").first();
    const name = (await first.locator("b").textContent()) ?? "";
    await first.click();
    await page.keyboard.type("say? @qwen");
    await list(page).getByRole("option", { name: "Qwen 3 8B" }).click();
    await page.keyboard.press("Enter");
    const sent = page.locator("[data-question]").getByRole("list", { name: "Chosen with @" });
    await expect(sent.getByRole("listitem")).toHaveText([name, "Qwen 3 8B"]);
    await expect(page.getByText("412 tokens")).toBeVisible();
    await page.reload();
    await expect(sent.getByRole("listitem")).toHaveText([name, "Qwen 3 8B"]);
    await expectAccessible(page);
    await page.getByRole("button", { name: "Regenerate" }).click();
    await expect.poll(() => gateway.asked.length).toBe(2);
    // The server keeps them with the question.
    await expect.poll(() => gateway.asked[1]).not.toHaveProperty("places");
    await expect(sent.getByRole("listitem")).toHaveText([name, "Qwen 3 8B"]);
  });

  test("are removed with their button or Backspace, and Esc closes the list", async ({ page }) => {
    await page.goto("/workspace/heat-pump-retrofit");
    await page.getByRole("button", { name: "Choose a document, folder or model" }).click();
    await expect(field(page)).toHaveValue("@");
    await list(page).getByRole("option").first().click();
    await expect(chips(page).getByRole("listitem")).toHaveCount(1);
    await field(page).press("Backspace");
    await expect(chips(page)).toHaveCount(0);
    await field(page).pressSequentially("@");
    await list(page).getByRole("option").first().click();
    await chips(page)
      .getByRole("button", { name: /^Remove / })
      .click();
    await expect(chips(page)).toHaveCount(0);
    await field(page).pressSequentially("Mail @");
    await expect(list(page)).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(list(page)).toHaveCount(0);
    await expect(field(page)).toHaveValue("Mail @");
  });

  test("leave existing clients' @agent alone, and offer no models to those who may not choose", async ({
    page,
    gateway,
  }) => {
    gateway.pace = 1;
    gateway.workspaceSettings.mayChoose = false;
    await page.goto("/workspace/heat-pump-retrofit");
    await field(page).pressSequentially("@");
    await expect(list(page).getByRole("option").first()).toBeVisible();
    await expect(list(page).getByRole("option", { name: "Qwen 3 8B" })).toHaveCount(0);
    await field(page).fill("");
    await field(page).pressSequentially("@agent look it up");
    await page.keyboard.press("Enter");
    await expect
      .poll(() => gateway.asked.map(({ message }) => message))
      .toEqual(["@agent look it up"]);
  });

  test("of the agent leave the thread in its mode", async ({ page, gateway }) => {
    const slug = "heat-pump-retrofit";
    gateway.addTurn(slug, "flow", { question: "Which?", answer: "48 °C.", mode: "query" });
    const called = { question: "@agent Go on.", answer: "Done.", mode: "automatic" } as const;
    gateway.addTurn(slug, "flow", called);
    await page.goto(threadPath);
    await expect(page.getByText("@agent Go on.")).toBeVisible();
    await expect(page.getByRole("radio", { name: "Query" })).toBeChecked();
  });

  test.describe("on a phone", () => {
    test.use(phone);
    test("are chosen by touch", async ({ page }) => {
      await page.goto("/workspace/heat-pump-retrofit");
      await page.getByRole("button", { name: "Choose a document, folder or model" }).tap();
      const option = list(page).getByRole("option").first();
      await expect
        .poll(async () => (await option.boundingBox())?.height)
        .toBeGreaterThanOrEqual(44);
      await option.tap();
      const remove = chips(page).getByRole("button");
      await expect
        .poll(async () => (await remove.boundingBox())?.height)
        .toBeGreaterThanOrEqual(24);
    });
  });
});
