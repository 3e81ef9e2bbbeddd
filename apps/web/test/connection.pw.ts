import type { Page } from "@playwright/test";
import type { FakeGateway } from "./fake-gateway.ts";
import { open, say } from "./chat-page.ts";
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
  await expect(page.getByText("An error occurred")).toHaveCount(0);
  expect(gateway.asked).toHaveLength(1);
});

test("keeps a question that didn't arrive, once that is known", async ({ page, gateway }) => {
  gateway.pace = 1;
  say(gateway, ["Before?", "Yes."]);
  await open(page, "Yes.");
  gateway.goDown();
  await ask(page, "Did it arrive?");
  await expect(reconnecting(page)).toBeVisible();
  await expect(page.getByText("An error occurred")).toHaveCount(0);
  await comeBack(page, gateway);
  await expect(
    page.getByText("An error occurred while streaming response. Failed to fetch"),
  ).toBeVisible();
  await expect(page.getByText("Try again, or edit your question.")).toBeVisible();
  expect(gateway.asked).toEqual([]);
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByText("412 tokens")).toBeVisible();
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
