import { accessibilityViolations } from "@carrel/testing";
import type { Page } from "@playwright/test";
import { createHarbourHouse } from "./harbour-house.ts";
import { expect, test } from "./product.ts";

let home: string;
test.beforeAll(async ({ product }) => {
  await product.api.json("POST", "/system/update-env", { LLMProvider: "extractive" });
  home = `/workspace/${await createHarbourHouse(product.api, "Quoted house")}`;
});

/** The text under the strong highlights of the rendered pages, line by line. */
const markedOnPage = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const marks = [...document.querySelectorAll(".pdf-mark")].map((mark) =>
      mark.getBoundingClientRect(),
    );
    const lines = [...document.querySelectorAll(".pdf-text span")].filter(
      (span) => span.childElementCount === 0 && span.textContent?.trim(),
    );
    return lines
      .filter((line) => {
        const { left, right, top, bottom } = line.getBoundingClientRect();
        return marks.some(
          (mark) =>
            (left + right) / 2 > mark.left &&
            (left + right) / 2 < mark.right &&
            (top + bottom) / 2 > mark.top &&
            (top + bottom) / 2 < mark.bottom,
        );
      })
      .map((line) => line.textContent)
      .join(" ");
  });

test("answers with citations, and a citation opens the page with the quoted sentence highlighted", async ({
  page,
  chat,
}) => {
  await page.goto(home);
  await chat.ask("What is the flow temperature of the heating circuit?");
  await expect(page.locator(".md").getByText("48 degrees").first()).toBeVisible();
  const mark = page
    .locator(".md")
    .getByRole("button", { name: /^Source \d/ })
    .first();
  await expect(mark).toBeVisible();
  await mark.click();
  await expect(page.locator(".pdf-mark").first()).toBeVisible();
  await expect(page.getByText(/Page 2 of 2/).first()).toBeVisible();
  await page.waitForFunction(() => {
    const canvas = document.querySelector<HTMLCanvasElement>('[data-page="2"] canvas');
    return canvas !== null && canvas.width > 100;
  });
  // The page's text layer lies on top, for selection and screen readers.
  await expect(
    page
      .locator('[data-page="2"] .pdf-text')
      .getByText("The flow temperature of the heating circuit is set to 48 degrees."),
  ).toBeVisible();
  const quoted = await mark.evaluate((each) => {
    const before = document.createRange();
    before.setStart(each.closest("p, li")!, 0);
    before.setEndBefore(each);
    return before.toString();
  });
  expect(quoted).toBe("The flow temperature of the heating circuit is set to 48 degrees.");
  await expect.poll(() => markedOnPage(page)).toBe(quoted);
  // The rest of the passage, in pale.
  await expect.poll(() => page.locator(".pdf-passage").count()).toBeGreaterThan(1);
  await expect(page.locator('[data-page="2"] .edge-bar').first()).toHaveText("1");
  expect(await accessibilityViolations(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await expect(page.locator("[data-panel]")).toHaveCount(0);
});

test("opens a text with the quoted sentence highlighted", async ({ page, chat }) => {
  await page.goto(home);
  await chat.ask("When is glass collected?");
  const answer = page.getByRole("article").last();
  await expect(answer.getByText("second Tuesday of the month").first()).toBeVisible();
  await answer
    .locator(".md")
    .getByRole("button", { name: /^Source \d/ })
    .first()
    .click();
  await expect(page.locator(".text-hit")).toBeVisible();
  await expect(page.locator(".text-hit")).toHaveText([
    "Glass is collected on the second Tuesday of the month.",
  ]);
  await expect
    .poll(async () => (await page.locator(".text-passage").allTextContents()).join(""))
    .toContain("The bins stand behind the bicycle shed.");
  await page.keyboard.press("Escape");
});

test("answers from a table", async ({ page, chat }) => {
  await page.goto(home);
  await chat.ask("What is the monthly rent of Ines Carstens?");
  await expect(page.getByRole("article").last().getByText("820 euro").first()).toBeVisible();
});

test("names a thread by its first message, and deletes it", async ({ page, chat }) => {
  await page.goto(home);
  await chat.startThread();
  await chat.ask("How much does a wash cost?");
  await expect(page.getByRole("article").last().getByText("two tokens").first()).toBeVisible();
  await expect(page.getByRole("link", { name: /^How much does a wash/ })).toBeVisible();
  await page.getByRole("button", { name: /^Menu for How much/ }).click();
  await page.getByRole("menuitem", { name: "Delete thread" }).click();
  await page.getByRole("button", { name: "Delete thread" }).click();
  await page.waitForURL("**/workspace/quoted-house");
  await expect(page.getByRole("link", { name: /^How much does a wash/ })).toHaveCount(0);
});

test("clears the conversation on /reset, with the keyboard alone", async ({ page, chat }) => {
  await page.goto(home);
  await chat.startThread();
  await page.waitForFunction(() => document.activeElement?.tagName === "TEXTAREA");
  await page.keyboard.type("When is glass collected?");
  await page.keyboard.press("Enter");
  await expect(
    page.getByRole("article").last().getByText("second Tuesday of the month").first(),
  ).toBeVisible();
  await page.keyboard.type("/reset");
  await page.keyboard.press("Enter");
  await expect(page.getByText("second Tuesday of the month").first()).toHaveCount(0);
});

test("refuses questions that no document answers in query mode", async ({ page, chat }) => {
  await page.goto(home);
  await page
    .getByRole("radio", { name: "Query" })
    .or(page.getByRole("button", { name: "Query", exact: true }))
    .first()
    .click();
  await chat.ask("Which team won the football championship in Brazil?");
  await expect(
    page.getByText("There is no relevant information in this workspace to answer your query."),
  ).toBeVisible();
  await expect(page.getByRole("button", { name: "Regenerate" }).last()).toBeVisible();
  // Without a model, chat mode has no general knowledge to add.
  await expect(page.getByText("Switch to Chat")).toHaveCount(0);
});

test("shows the closest passages if no sentence answers, and opens one", async ({ page, chat }) => {
  await page.goto(home);
  await chat.ask("Which architect designed the new bicycle shed for the glass museum?");
  const closest = page.getByRole("region", { name: "Closest passages" });
  await expect(closest).toContainText("The bins stand behind the bicycle shed.");
  await closest
    .getByRole("button", { name: /Open in source/ })
    .first()
    .click();
  await expect(page.locator(".text-hit").first()).toContainText("bicycle shed");
  await page.keyboard.press("Escape");
});

test("switches to another language model, and streams its answer", async ({
  page,
  chat,
  product,
}) => {
  product.vendor.behave({ status: 404 });
  await page.goto("/settings");
  await expect(page.getByText("Quotes, not generated text.")).toBeVisible();
  await page.getByRole("button", { name: "OpenAI compatible" }).click();
  await page.getByLabel("Base URL").fill(`${product.vendor.url}/v1`);
  await page.getByLabel("Model", { exact: true }).fill("harbour-small");
  // The list of models would cover the button.
  await page.keyboard.press("Tab");
  await page.getByRole("button", { name: "Test connection" }).click();
  await expect(page.getByText(/doesn't know this model or address/)).toBeVisible();
  product.vendor.behave({
    reply: "The circuit runs at **48 degrees** [1], and the radiators are bled once a year.",
    delayMs: 15,
  });
  await page.getByRole("button", { name: "Test connection" }).click();
  await expect(page.getByText(/^Connected\. harbour-small answered in/)).toBeVisible();
  expect(await accessibilityViolations(page)).toEqual([]);
  await page.getByRole("button", { name: "Use OpenAI compatible" }).click();
  await expect(page.getByText("Language model saved.")).toBeVisible();
  await page.goto(home);
  await expect(page.getByRole("button", { name: /^Model: harbour-small/ })).toBeVisible();
  await chat.ask("Which flow temperature does the heating circuit have?");
  const answer = page.getByRole("article").last();
  await expect(answer.locator("strong").getByText("48 degrees")).toBeVisible();
  await expect(answer.getByText(/\d+\stokens · /)).toBeVisible();
  await answer
    .locator(".md")
    .getByRole("button", { name: /^Source 1/ })
    .click();
  // Paraphrased by the model: the sentence that supports it is highlighted, the passage in pale.
  await expect
    .poll(() => markedOnPage(page))
    .toBe("The flow temperature of the heating circuit is set to 48 degrees.");
  await expect(page.locator(".edge-bar").first()).toBeVisible();
  await expect.poll(() => page.locator(".pdf-passage").count()).toBeGreaterThan(1);
  await page.keyboard.press("Escape");
});
