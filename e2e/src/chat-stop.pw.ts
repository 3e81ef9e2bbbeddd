import { waitFor } from "@carrel/testing";
import type { Page } from "@playwright/test";
import { ChatPage } from "./chat-page.ts";
import { createHarbourHouse } from "./harbour-house.ts";
import { endless, expect, test } from "./product.ts";

// Each test uses its own thread.
const slug = "stop-house";
test.beforeAll(async ({ product }) => {
  await product.useVendor();
  await createHarbourHouse(product.api, "Stop house");
});

test("stops an answer on the server too if it is stopped before the server has replied", async ({
  page,
  chat,
  product,
}) => {
  const thread = await chat.openThread(slug);
  const gate = Promise.withResolvers<void>();
  await page.route("**/stream-chat", async (route) => {
    await gate.promise;
    await route.continue();
  });
  product.vendor.behave(endless);
  await chat.ask("Too soon?");
  await page.getByRole("button", { name: "Stop (Esc)" }).click();
  await expect(
    page.getByRole("article").last().getByText("Stopped. The text so far is kept."),
  ).toBeVisible();
  gate.resolve();
  await waitFor(async () =>
    (
      await product.api.json<{ turns: { state: string }[] }>(
        "GET",
        `/workspace/${slug}/turns?thread=${thread}`,
      )
    ).turns.some(({ state }) => state === "cancelled"),
  );
  await expect.poll(() => product.vendor.openStreams()).toBe(0);
  await page.unroute("**/stream-chat");
  product.vendor.behave({ reply: "In time." });
  await chat.ask("Now?");
  await expect(page.locator(".md").getByText("In time.")).toBeVisible();
  await expect(chat.questions).toHaveText(["Too soon?", "Now?"]);
});

test("shows one answer live in two tabs, queues the next questions, and stops in both", async ({
  page,
  chat,
  product,
  context,
  watch,
}) => {
  const thread = await chat.openThread(slug);
  product.vendor.behave(endless);
  await chat.ask("Tell me slowly.");
  const written = (each: Page = page): Promise<number> =>
    each
      .getByRole("article")
      .first()
      .locator(".md")
      .textContent()
      .then((text) => text?.length ?? 0);
  await expect.poll(() => written()).toBeGreaterThan(40);
  await page.reload();
  await expect(page.getByRole("button", { name: "Stop (Esc)" })).toBeVisible();
  const after = await written();
  await expect.poll(() => written()).toBeGreaterThan(after);
  const second = await context.newPage();
  watch(second);
  await second.goto(`/workspace/${slug}/t/${thread}`);
  await expect(second.getByRole("button", { name: "Stop (Esc)" })).toBeVisible();
  const seen = await written(second);
  await expect.poll(() => written(second)).toBeGreaterThan(seen);

  await chat.ask("What comes next?");
  await chat.ask("And then?");
  for (const each of [page, second]) {
    await expect(each.getByText("1st in line")).toBeVisible();
    await expect(each.getByText("2nd in line")).toBeVisible();
  }
  // With the key: text that comes in above moves the button by a line before the page follows.
  await second.getByRole("button", { name: "Remove from queue: And then?" }).press("Enter");
  for (const each of [page, second])
    await expect(each.locator("[data-question]").getByText("And then?")).toHaveCount(0);
  product.vendor.behave({ reply: "This comes next." });
  await second.getByRole("button", { name: "Stop (Esc)" }).click();
  for (const each of [page, second]) {
    await expect(
      each.getByRole("article").first().getByText("Stopped. The text so far is kept."),
    ).toBeVisible();
    await expect(each.locator(".md").getByText("This comes next.")).toBeVisible();
    await new ChatPage(each, product).answered();
  }
  await expect
    .poll(
      async () =>
        (await page.locator(".md").first().textContent()) ===
        (await second.locator(".md").first().textContent()),
    )
    .toBe(true);
  await expect.poll(() => product.vendor.openStreams()).toBe(0);
  await second.close();
});
