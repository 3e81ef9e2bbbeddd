import { embedId } from "./fake-embed.ts";
import { expect, test } from "./fixtures.ts";

test("continues on the next page: open, with its messages and half an answer", async ({
  page,
  gateway,
  widget,
}) => {
  let release = (): void => undefined;
  await widget.open();
  await widget.ask("First");
  await expect(widget.answers.last()).toContainText("temperatures.");
  gateway.held = new Promise((resolve) => {
    release = resolve;
  });
  await widget.ask("Second");
  await expect(widget.answers.last()).toHaveText("Heat pumps");
  await widget.field.fill("Not yet sent");

  await widget.visit("/other");
  await expect(page.locator(".user")).toHaveText([/First/, /Second/]);
  await expect(widget.answers.last()).toHaveText("Heat pumps");
  await expect(widget.field).toHaveValue("Not yet sent");
  await expect(widget.field).not.toBeFocused();
  release();
  await expect(widget.answers.last()).toHaveText("Heat pumps like low flow temperatures.");
  const [, second, again] = gateway.questions;
  expect(again!.key).toBe(second!.key);
  await expect
    .poll(() => gateway.sessions)
    .toEqual([
      { token: null, identity: null },
      { token: "token-1", identity: null },
    ]);
});

test("shows an interrupted answer of servers that cannot continue it", async ({
  page,
  gateway,
  widget,
}) => {
  gateway.signed = false;
  gateway.held = new Promise(() => undefined);
  await widget.open();
  await widget.ask("Hello");
  await expect(widget.answers.last()).toHaveText("Heat pumps");
  await widget.visit("/other");
  await expect(widget.answers.last()).toHaveText("Heat pumps");
  await expect(page.locator(".fault")).toContainText("The answer was interrupted.");
  gateway.held = null;
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(widget.answers.last()).toHaveText("Heat pumps like low flow temperatures.");
});

test("begins a new session when the old one has expired", async ({ gateway, widget }) => {
  await widget.open();
  gateway.refused = { status: 401, body: { type: "abort", error: "Invalid request." } };
  await widget.ask("Hello");
  await expect(widget.answers.last()).toHaveText("Heat pumps like low flow temperatures.");
  await expect.poll(() => gateway.sessions).toHaveLength(2);
});

test("opens by itself if asked to, until the visitor closes it", async ({ page, site, widget }) => {
  site.attributes = { "data-open-on-load": "on", "data-identity": "a.b.c" };
  await widget.visit();
  await expect(widget.dialog).toBeVisible();
  await page.getByRole("button", { name: "Close chat" }).first().click();
  await expect(widget.dialog).toHaveCount(0);
  await widget.visit("/other");
  await expect(widget.button).toBeVisible();
  await expect(widget.dialog).toHaveCount(0);
});

test("nothing is requested before the chat is opened", async ({ page, gateway, site, widget }) => {
  site.attributes = { "data-identity": "a.b.c" };
  await widget.visit();
  await expect(widget.button).toBeVisible();
  await expect.poll(() => gateway.sessions).toEqual([]);
  await widget.button.click();
  await expect.poll(() => gateway.sessions).toEqual([{ token: null, identity: "a.b.c" }]);
  const keys = await page.evaluate(() => Object.keys(localStorage).sort());
  expect(keys).toEqual([
    "___anythingllm-chat-widget-open___",
    `allm_${embedId}_session_id`,
    `carrel_${embedId}_token`,
  ]);
});
