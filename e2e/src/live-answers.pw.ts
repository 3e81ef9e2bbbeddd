import type { Page } from "@playwright/test";
import { createHarbourHouse } from "./harbour-house.ts";
import { expect, test } from "./product.ts";

let home: string;
test.beforeAll(async ({ product }) => {
  await product.useVendor();
  home = `/workspace/${await createHarbourHouse(product.api, "Live house")}`;
});

test("continues an answer after a reload, shows it in a second tab, and stops it", async ({
  page,
  chat,
  product,
  context,
  watch,
}) => {
  await page.goto(home);
  product.vendor.behave({ tokens: 20_000, delayMs: 60 });
  await chat.ask("Tell me slowly about the heating.");
  const text = async (each: Page): Promise<string> =>
    (await each
      .getByRole("article")
      .last()
      .locator(".md")
      .textContent()
      .catch(() => "")) ?? "";
  const grown = async (each: Page, from: number): Promise<number> => {
    await expect.poll(async () => (await text(each)).length).toBeGreaterThan(from);
    return (await text(each)).length;
  };
  await grown(page, 40);
  await page.reload();
  const after = await grown(page, 80);
  const second = await context.newPage();
  watch(second);
  await second.goto(home);
  await expect(second.getByRole("button", { name: "Stop (Esc)" })).toBeVisible();
  await grown(second, after);
  await second.getByRole("button", { name: "Stop (Esc)" }).click();
  for (const each of [page, second]) {
    await expect(
      each.getByRole("article").last().getByText("Stopped. The text so far is kept."),
    ).toBeVisible();
    await expect.poll(() => text(each)).toMatch(/^The quick answer/);
  }
  await expect.poll(async () => (await text(page)) === (await text(second))).toBe(true);
  await second.close();
  await expect.poll(() => product.vendor.openStreams()).toBe(0);
});

test("keeps the question when the model is unreachable, and asks it again", async ({
  page,
  chat,
  product,
}) => {
  await page.goto(home);
  product.vendor.behave({ status: 401, error: { message: "The key was withdrawn." } });
  await chat.ask("Who sweeps the chimney?");
  const failed = page.getByRole("article").last();
  await expect(failed.getByRole("button", { name: "Retry" })).toBeVisible();
  await expect(failed).toContainText("Try again, or check the language model in Settings.");
  await page.reload();
  await expect(
    page.getByRole("article").last().getByRole("button", { name: "Retry" }),
  ).toBeVisible();
  product.vendor.behave({ reply: "The guild of the harbour [1]." });
  await page.getByRole("article").last().getByRole("button", { name: "Retry" }).click();
  await expect(
    page.getByRole("article").last().getByText("The guild of the harbour"),
  ).toBeVisible();
  await expect(page.locator("[data-question]").getByText("Who sweeps the chimney?")).toHaveCount(1);
});
