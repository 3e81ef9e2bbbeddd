import { readFileSync } from "node:fs";
import { join } from "node:path";
import { embedId } from "./fake-embed.ts";
import { dist, expect, test } from "./fixtures.ts";

test("the script is at most 35 kB", () => {
  expect(readFileSync(join(dist, "carrel-widget.js.gz")).length).toBeLessThanOrEqual(35_000);
});

test("answers on another site, under a policy without unsafe-inline", async ({
  gateway,
  widget,
}) => {
  gateway.parts = [
    "Choose **low** temperatures:\n\n",
    "- one\n- `two`\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```js\nlet a;\n```\n\n[guide](https://example.org)",
  ];
  gateway.sources = [{ title: "Guide.pdf", text: "Passage", url: null, number: 1 }];
  await widget.open();
  await widget.ask("Which temperature?");
  const answer = widget.answers.last();
  await expect(answer.locator("strong")).toHaveText("low");
  await expect(answer.locator("ul").first().locator("li")).toHaveText(["one", "two"]);
  await expect(answer.getByRole("cell")).toHaveText(["1", "2"]);
  await expect(answer.locator("pre")).toHaveText("let a;");
  await expect(answer.getByRole("link")).toHaveAttribute("rel", /noopener/);
  await answer.getByText("Sources (1)").click();
  await expect(answer.getByText("Guide.pdf")).toBeVisible();
  await expect
    .poll(() => gateway.questions)
    .toEqual([
      {
        body: {
          message: "Which temperature?",
          sessionId: "0b7e5a0e-1111-4222-8333-444455556666",
          username: null,
          prompt: null,
          model: null,
          temperature: null,
          language: "en",
        },
        key: expect.stringMatching(/^[\da-f-]{36}$/),
        contentType: "text/plain;charset=UTF-8",
      },
    ]);
});

test("speaks the plain wire of servers without signed sessions", async ({
  page,
  gateway,
  site,
  widget,
}) => {
  gateway.signed = false;
  site.script = "anythingllm-chat-widget.min.js";
  site.attributes = { "data-username": "ada", "data-temperature": "0.2", "data-model": "m" };
  await widget.open();
  await widget.ask("Hello");
  await expect(widget.answers.last()).toHaveText("Heat pumps like low flow temperatures.");
  const [question] = gateway.questions;
  expect(question).toMatchObject({
    key: undefined,
    body: { username: "ada", temperature: 0.2, model: "m", prompt: null },
  });
  const stored = await page.evaluate(
    (id) => localStorage.getItem(`allm_${id}_session_id`),
    embedId,
  );
  expect(question!.body.sessionId).toBe(stored);
  expect(stored).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
});

test("shows a limit's own text, and other failures with a retry", async ({
  page,
  gateway,
  widget,
}) => {
  gateway.refused = {
    status: 429,
    body: { type: "abort", error: "Rate limit exceeded", errorMsg: "Back at nine." },
  };
  await widget.open();
  await widget.ask("First");
  await expect(page.locator(".fault")).toHaveText("Back at nine.");
  gateway.refused = { status: 502, body: "Bad gateway" };
  await widget.ask("Second");
  await expect(page.locator(".fault").last()).toContainText("Couldn’t get an answer");
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(widget.answers.last()).toHaveText("Heat pumps like low flow temperatures.");
  await expect(page.locator(".user")).toHaveCount(2);
});

test("returns to an answer whose connection broke", async ({ page, gateway, widget }) => {
  gateway.breaks = true;
  await widget.open();
  await widget.ask("Hello");
  await expect(widget.answers.last()).toHaveText("Heat pumps like low flow temperatures.");
  const keys = gateway.questions.map(({ key }) => key);
  expect(keys).toHaveLength(2);
  expect(keys[1]).toBe(keys[0]);
  await expect(page.locator(".user")).toHaveCount(1);
});

test("stops an answer and keeps its text", async ({ page, gateway, widget }) => {
  gateway.held = new Promise(() => undefined);
  await widget.open();
  await widget.ask("Hello");
  await expect(widget.answers.last()).toHaveText("Heat pumps");
  await page.getByRole("button", { name: "Stop answer" }).click();
  await expect(page.locator(".note")).toHaveText("Stopped");
  await expect(widget.answers.last()).toHaveText("Heat pumps");
  await expect.poll(() => gateway.stops).toBe(1);
  await expect(widget.field).toBeFocused();
});

test("keeps a question until the session has begun", async ({ page, gateway, widget }) => {
  let begin = (): void => undefined;
  gateway.begun = new Promise((resolve) => (begin = resolve));
  await widget.open();
  await widget.field.fill("Too early?");
  await page.keyboard.press("Enter");
  await expect(widget.field).toHaveValue("Too early?");
  begin();
  await expect(page.locator(".user")).toHaveText(/Too early/);
  await expect(widget.field).toHaveValue("");
});

test("says when the visitor is offline", async ({ page, context, widget }) => {
  await widget.open();
  await context.setOffline(true);
  await widget.field.fill("Hello");
  await expect(page.getByText("You’re offline.")).toBeVisible();
  await expect(page.locator(".send")).toHaveAttribute("aria-disabled", "true");
  await context.setOffline(false);
  await expect(page.locator(".send")).toHaveAttribute("aria-disabled", "false");
  await page.keyboard.press("Enter");
  await expect(page.locator(".user")).toHaveText(/Hello/);
});

test("suggestions, pages and a reset", async ({ page, gateway, site, widget }) => {
  gateway.session = { suggestedMessages: ["From the server"], greeting: "Welcome!" };
  await widget.open();
  await expect(widget.answers).toHaveText(["Welcome!"]);
  await page.getByRole("button", { name: "From the server" }).click();
  await expect(widget.answers.last()).toHaveText("Heat pumps like low flow temperatures.");
  await page.getByRole("button", { name: "Clear conversation" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Clear conversation" }).click();
  await expect(page.locator(".user")).toHaveCount(0);
  await expect.poll(() => gateway.turns).toEqual([]);

  site.attributes = { "data-default-messages": "One, Two", "data-greeting": "Hello there" };
  await page.reload();
  await expect(page.locator(".suggestions li")).toHaveText(["One", "Two"]);
  await expect(widget.answers).toHaveText(["Hello there"]);
  await page.getByRole("button", { name: "Close chat" }).first().click();
  await page.evaluate(() =>
    dispatchEvent(
      new CustomEvent("anythingllm-embed-send-prompt", { detail: { command: "From the page" } }),
    ),
  );
  await expect(page.locator(".user")).toHaveText(/From the page/);
  await expect(widget.dialog).toBeVisible();
});
