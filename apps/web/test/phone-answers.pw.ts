import { expect, phone, test, threadPath } from "./fixtures.ts";

test.describe("an answer on a phone", () => {
  test.use(phone);
  const words = ["Wärmepumpenanlage", "Heizkörperthermostat", "Vorlauftemperaturregelung"];
  test("has tables that scroll without breaking words, and is copied with one tap", async ({
    page,
    gateway,
    context,
  }) => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    const answer = [words, words.map(() => "---"), words, words]
      .map((cells) => `| ${cells.join(" | ")} |`)
      .join("\n");
    gateway.addTurn("heat-pump-retrofit", "flow", { question: "Which?", answer });
    await page.goto(threadPath);
    const table = page.locator(".tbl");
    await expect(table).toBeVisible();
    expect(await table.evaluate((box) => box.scrollWidth > box.clientWidth)).toBe(true);
    // One line each: a row is as high as one line and its padding.
    const heights = await page
      .locator(".tbl td")
      .evaluateAll((cells) => cells.map((cell) => cell.getBoundingClientRect().height));
    expect(Math.max(...heights)).toBeLessThan(40);
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    await page.getByRole("article").getByRole("button", { name: "Copy" }).tap();
    await expect
      .poll(() => page.evaluate(() => navigator.clipboard.readText()))
      .toContain(words[0]!);
  });
});
