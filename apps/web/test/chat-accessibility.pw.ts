import { expectAccessible } from "./accessibility.ts";
import { button, field, open, say, sent } from "./chat-page.ts";
import { ask, expect, phone, test } from "./fixtures.ts";

test.describe("chat window", () => {
  test("commands and their dialog are accessible", async ({ page, gateway }) => {
    gateway.chat.files = [
      { id: 1, title: "Report.pdf", location: "Report.pdf", token_count_estimate: 7_000 },
    ];
    gateway.chat.welcome = [{ user: "Who are you?", response: "I know." }];
    await open(page);
    await expect(page.locator("[data-welcome] .md")).toBeVisible();
    await field(page).pressSequentially("/");
    await expect(page.getByRole("option").nth(3)).toBeVisible();
    await expectAccessible(page);
    await page.getByRole("option", { name: "Manage commands" }).click();
    await expect(page.getByRole("dialog")).toBeVisible();
    await expectAccessible(page);
  });
  test("versions and queued questions are accessible", async ({ page, gateway }) => {
    say(gateway, ["First?", "One."], ["Second?", "Two."]);
    gateway.heldAfter = 10;
    await open(page, "Two.");
    await page.locator("[data-turn]").last().getByRole("button", { name: "Regenerate" }).click();
    await expect(button(page, "Stop (Esc)")).toBeVisible();
    await ask(page, "And then?");
    await expect(page.getByText("1st in line")).toBeVisible();
    await expectAccessible(page);
  });
  test("a question being edited is accessible", async ({ page, gateway }) => {
    say(gateway, ["First?", "One."], ["Second?", "Two."]);
    gateway.heldAfter = 10;
    await open(page, "Two.");
    await ask(page, "And then?");
    await expect(button(page, "Stop (Esc)")).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(page.getByRole("article").getByText("Stopped.")).toBeVisible();
    await page.locator("[data-turn]").first().hover();
    await page
      .locator("[data-turn]")
      .first()
      .getByRole("button", { name: "Edit question" })
      .click();
    await expectAccessible(page);
  });
  test.describe(() => {
    test.use(phone);
    test("has a menu on phones, and nothing overflows", async ({ page, gateway }) => {
      await open(page);
      await expect
        .poll(() => page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]))
        .toEqual([390, 390]);
      await expect(page.getByRole("link", { name: /^\d+ documents/ })).toBeVisible();
      say(gateway, ["First?", "One."], ["Second?", "Two."]);
      gateway.chat.files = [
        {
          id: 1,
          title: `${"Long name ".repeat(20)}.pdf`,
          location: "x",
          token_count_estimate: 100,
        },
      ];
      await open(page, "Two.");
      await expect(page.getByRole("list", { name: "Attached" })).toBeVisible();
      await page
        .locator("[data-turn]")
        .last()
        .getByRole("button", { name: "More actions for this answer" })
        .click();
      await expect(page.getByRole("menuitem").first()).toBeVisible();
      await expect(page.getByRole("menuitem")).toHaveText([
        "Regenerate",
        "Edit answer",
        "Good response",
        "Bad response",
        "Read aloud",
        "Branch into new thread",
        "How this answer was found",
        "Hide message",
        "Delete message",
      ]);
      await page.getByRole("menuitem", { name: "Good response" }).click();
      await expect
        .poll(() => sent(gateway, /chat-feedback/).map((each) => each.feedback))
        .toEqual([true]);
      await page
        .locator("[data-turn]")
        .last()
        .getByRole("button", { name: "Question menu" })
        .click();
      await page.getByRole("menuitem", { name: "Edit question" }).click();
      await expect(page.getByRole("textbox", { name: "Edit question" })).toBeVisible();
      await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
      await expect
        .poll(() =>
          page.locator("[data-tools]").evaluate((box) => box.scrollWidth - box.clientWidth),
        )
        .toBeLessThanOrEqual(0);
    });
  });
});
