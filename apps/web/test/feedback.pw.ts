import { expectAccessible } from "./accessibility.ts";
import { open, say, sent } from "./chat-page.ts";
import { expect, phone, test } from "./fixtures.ts";

test.describe("a bad response", () => {
  test.beforeEach(({ gateway }) => say(gateway, ["First?", "One."]));
  test("can be explained with a reason or in own words, and need not be", async ({
    page,
    gateway,
  }) => {
    await open(page, "One.");
    const bad = page.getByRole("button", { name: "Bad response" });
    const why = page.getByRole("dialog", { name: "What was wrong? (optional)" });
    const reasons = (): unknown[] => sent(gateway, /turns\/101\/feedback-reason/);
    await bad.click();
    await expect(why.getByRole("button")).toHaveText([
      "Not in the documents",
      "Wrong",
      "Incomplete",
      "Off topic",
      "Other",
    ]);
    // The rating doesn't wait for a reason.
    await expect.poll(() => sent(gateway, /chat-feedback\/101/)).toEqual([{ feedback: false }]);
    await expectAccessible(page);
    await page.keyboard.press("Escape");
    await expect(why).toHaveCount(0);
    await expect(bad).toHaveAttribute("aria-pressed", "true");
    expect(reasons()).toEqual([]);
    await bad.click();
    await expect(bad).toHaveAttribute("aria-pressed", "false");
    await expect(why).toHaveCount(0);
    await bad.click();
    await why.getByRole("button", { name: "Incomplete" }).click();
    await expect(page.getByRole("button", { name: "Bad response: Incomplete" })).toHaveAttribute(
      "aria-pressed",
      "true",
    );
    await expect(why).toHaveCount(0);
    await page.reload();
    await page.getByRole("button", { name: "Bad response: Incomplete" }).click();
    await expect(bad).toHaveAttribute("aria-pressed", "false");
    await bad.press("Enter");
    await why.getByRole("button", { name: "Other" }).press("Enter");
    await expect(why.getByRole("textbox", { name: "What was wrong?" })).toBeFocused();
    await page.keyboard.type("Too long");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("button", { name: "Bad response: Other" })).toBeVisible();
    await expect.poll(reasons).toEqual([
      { reason: "incomplete", comment: null },
      { reason: "other", comment: "Too long" },
    ]);
  });
  test.describe(() => {
    test.use(phone);
    test("asks for the reason on a phone as well", async ({ page, gateway }) => {
      await open(page, "One.");
      await page.getByRole("button", { name: "More actions for this answer" }).tap();
      await page.getByRole("menuitem", { name: "Bad response" }).tap();
      await page.getByRole("button", { name: "Off topic" }).tap();
      await expect
        .poll(() => sent(gateway, /feedback-reason/))
        .toEqual([{ reason: "off-topic", comment: null }]);
      await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    });
  });
});
