import type { Page } from "@playwright/test";
import { open, say } from "./chat-page.ts";
import type { FakeGateway } from "./fake-gateway.ts";
import { ask, expect, settled, test, threadPath } from "./fixtures.ts";

const notice = (page: Page) => page.getByText("Can't reach Carrel. Reconnecting…");
const reconnecting = (page: Page) => page.getByText("Connection lost. Reconnecting");
/** Reconnects at once rather than after a pause. */
const comeBack = async (page: Page, gateway: FakeGateway): Promise<void> => {
  gateway.isDown = false;
  await page.evaluate(() => dispatchEvent(new Event("online")));
};

test("says that the server can't be reached, moves nothing, and continues the answer", async ({
  page,
  gateway,
}) => {
  gateway.heldAfter = 20;
  await page.goto(threadPath);
  await ask(page, "Live?");
  await expect(page.getByText("78 % of the radiators").first()).toBeVisible();
  const composer = page.getByLabel("Message", { exact: true });
  await settled(page);
  const place = await composer.boundingBox();
  await expect(notice(page)).toHaveCount(0);
  gateway.goDown();
  await expect(reconnecting(page)).toBeVisible();
  await expect(notice(page)).toBeVisible();
  await expect(page.locator("[aria-live=polite]").filter({ has: notice(page) })).toHaveCount(1);
  await expect.poll(() => composer.boundingBox()).toEqual(place);
  gateway.heldAfter = null;
  await comeBack(page, gateway);
  await expect(notice(page)).toHaveCount(0);
  await expect(page.getByText("412 tokens")).toBeVisible();
  await expect(page.locator(".md h3")).toHaveText(["Design for 48 °C at −8 °C outdoors"]);
});

test("shows no position in the queue while the server can't be reached", async ({
  page,
  gateway,
}) => {
  gateway.heldAfter = 20;
  await page.goto(threadPath);
  await ask(page, "Live?");
  await expect(page.getByText("78 % of the radiators").first()).toBeVisible();
  await ask(page, "Queued?");
  const queued = page.locator("[data-turn]").filter({ hasText: "Queued?" });
  await expect(queued.getByText("1st in line")).toBeVisible();
  await expect(queued.getByRole("button", { name: /^Remove from queue/ })).toBeVisible();
  gateway.goDown();
  await expect(queued.getByText("Connection lost. Reconnecting")).toBeVisible();
  await expect(queued.getByText("1st in line")).toHaveCount(0);
});

test("keeps showing a question that was queued just before the connection broke", async ({
  page,
  gateway,
}) => {
  gateway.heldAfter = 20;
  await page.goto(threadPath);
  await ask(page, "Live?");
  await expect(page.getByText("78 % of the radiators").first()).toBeVisible();
  // The question arrives, but nothing that would show its turn does.
  let failedReads = 0;
  await page.route("**/turns?*", async (route) => {
    await route.abort("connectionreset");
    failedReads += 1;
  });
  await ask(page, "Queued?");
  await expect.poll(() => failedReads).toBeGreaterThanOrEqual(3); // with its retries
  await settled(page);
  const queued = page.locator("[data-turn]").filter({ hasText: "Queued?" });
  await expect(queued).toBeVisible();
  gateway.goDown();
  await expect(queued.getByText("Connection lost. Reconnecting")).toBeVisible();
  await page.unroute("**/turns?*");
  gateway.heldAfter = null;
  await comeBack(page, gateway);
  await expect(queued.getByText("412 tokens")).toBeVisible();
  await expect(queued).toHaveCount(1);
});

test("finds a question whose connection broke before it was confirmed", async ({
  page,
  gateway,
}) => {
  Object.assign(gateway, { dropsQuestion: true, pace: 1 });
  await page.goto(threadPath);
  await ask(page, "Did it arrive?");
  await expect(reconnecting(page)).toBeVisible();
  await expect(page.getByText("412 tokens")).toBeVisible();
  await expect(page.getByText("Did it arrive?")).toHaveCount(1);
  await expect(page.getByText(/^The answer (failed|was interrupted)/)).toHaveCount(0);
  await expect.poll(() => gateway.asked).toHaveLength(1);
});

test("keeps a question that didn't arrive, once that is known", async ({ page, gateway }) => {
  gateway.pace = 1;
  say(gateway, ["Before?", "Yes."]);
  await open(page, "Yes.");
  gateway.goDown();
  await ask(page, "Did it arrive?");
  await expect(reconnecting(page)).toBeVisible();
  await expect(page.getByText(/^The answer (failed|was interrupted)/)).toHaveCount(0);
  await comeBack(page, gateway);
  await expect(
    page.getByText("Your question wasn't sent because there was no connection."),
  ).toBeVisible();
  await expect(page.getByText("It's kept in this browser. Send it now, or edit it.")).toBeVisible();
  await expect.poll(() => gateway.asked).toEqual([]);
  await page.getByRole("button", { name: "Send now" }).click();
  await expect(page.getByText("412 tokens")).toBeVisible();
});

test("loads a part of the page once the server is back", async ({ page, gateway }) => {
  say(gateway, ["Before?", "Yes."]);
  await open(page, "Yes.");
  gateway.goDown();
  const failed = page.waitForEvent("requestfailed", (request) =>
    request.url().includes("/assets/help-dialog"),
  );
  await page.keyboard.press("Control+/");
  await failed;
  await settled(page);
  await expect(page.getByLabel("Message", { exact: true })).toBeVisible();
  await comeBack(page, gateway);
  await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toBeVisible();
});

test.describe("without a network", () => {
  test("a question is kept with the draft, and sent once the person says so", async ({
    page,
    gateway,
  }) => {
    gateway.pace = 1;
    say(gateway, ["Before?", "Yes."]);
    await open(page, "Yes.");
    const composer = page.getByLabel("Message", { exact: true });
    await composer.fill("x");
    await composer.fill(""); // loads what is loaded on first use
    await settled(page);
    const offline = page.getByText(
      "You're offline. Questions you ask are kept until you're back online.",
    );
    await page.context().setOffline(true);
    await expect(offline).toBeVisible();
    await ask(page, "Asked offline?");
    await expect(reconnecting(page)).toBeVisible();
    await composer.fill("And a draft");
    await expect.poll(() => gateway.asked).toEqual([]);
    await page.context().setOffline(false);
    await page.reload();
    await expect(offline).toHaveCount(0);
    const unsent = page.locator("[data-turn]").last();
    await expect(unsent.getByText("Asked offline?")).toBeVisible();
    await expect(
      unsent.getByText("Your question wasn't sent because there was no connection."),
    ).toBeVisible();
    await expect(composer).toHaveValue("And a draft");
    // It is kept until it is sent, which happens only on request.
    await page.reload();
    await expect(unsent.getByText("Asked offline?")).toBeVisible();
    await expect.poll(() => gateway.asked).toEqual([]);
    await unsent.getByRole("button", { name: "Send now" }).click();
    await expect(page.getByText("412 tokens")).toBeVisible();
    await expect
      .poll(() => gateway.asked.map(({ message }) => message))
      .toEqual(["Asked offline?"]);
    await page.reload();
    await expect(page.getByText("412 tokens")).toBeVisible();
    await expect(page.getByText("Asked offline?")).toHaveCount(1);
    await expect(page.getByRole("button", { name: "Send now" })).toHaveCount(0);
    await expect(composer).toHaveValue("And a draft");
  });
  test("a question can be edited, which moves it back to the composer", async ({
    page,
    gateway,
  }) => {
    say(gateway, ["Before?", "Yes."]);
    await open(page, "Yes.");
    await page.context().setOffline(true);
    await ask(page, "Asked offline?");
    await expect(reconnecting(page)).toBeVisible();
    await page.context().setOffline(false);
    await page.reload();
    await page.getByRole("button", { name: "Edit message" }).click();
    await expect(page.getByLabel("Message", { exact: true })).toHaveValue("Asked offline?");
    await page.reload();
    await expect(page.getByLabel("Message", { exact: true })).toHaveValue("Asked offline?");
    await expect(page.getByRole("button", { name: "Send now" })).toHaveCount(0);
    await expect.poll(() => gateway.asked).toEqual([]);
  });
});

test("keeps uploads waiting until the server is back", async ({ page, gateway }) => {
  await page.goto("/workspace/heat-pump-retrofit/documents");
  await expect(page.getByText("Retrofit survey 2024.pdf")).toBeVisible();
  gateway.goDown();
  await page
    .locator("input[type=file]")
    .first()
    .setInputFiles({
      name: "Minutes.txt",
      mimeType: "text/plain",
      buffer: Buffer.from("We decided."),
    });
  await expect(page.getByText("Waiting for the server…")).toBeVisible();
  await expect(page.getByText("Waiting for the server, 0 of 1 uploaded")).toBeVisible();
  await comeBack(page, gateway);
  await expect(page.getByText(/^Waiting for the server/)).toHaveCount(0);
  await expect.poll(() => gateway.library.uploads.map(({ name }) => name)).toEqual(["Minutes.txt"]);
});
