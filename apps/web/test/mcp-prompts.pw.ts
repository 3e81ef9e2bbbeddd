import type { Page } from "@playwright/test";
import { expectAccessible } from "./accessibility.ts";
import { expect, phone, test } from "./fixtures.ts";

const field = (page: Page) => page.getByRole("textbox", { name: "Message" });
const list = (page: Page) => page.getByRole("listbox", { name: "Commands" });
const dialog = (page: Page) => page.getByRole("dialog");

test.describe("prompts of MCP servers", () => {
  test.beforeEach(async ({ page, gateway }) => {
    gateway.mcp.fillPrompts();
    await page.goto("/workspace/heat-pump-retrofit");
  });

  test("ask for their arguments, and are read before they are sent", async ({ page, gateway }) => {
    await field(page).pressSequentially("/rev");
    const option = list(page).getByRole("option", { name: /^Review a ticket.*tickets$/ });
    await expect(option).toHaveAttribute("aria-selected", "true");
    await expectAccessible(page);
    await page.keyboard.press("Enter");
    await expect(dialog(page).getByRole("heading", { name: "Review a ticket" })).toBeVisible();
    await expect(dialog(page)).toContainText("From tickets, which gets what you enter.");
    await expectAccessible(page);
    const insert = dialog(page).getByRole("button", { name: "Insert prompt" });
    await expect(insert).toBeDisabled();
    const ticket = dialog(page).getByRole("textbox", { name: "Ticket" });
    await expect(ticket).toBeFocused();
    await expect(ticket).toHaveAccessibleDescription("Its number.");
    await ticket.fill("0");
    await insert.click();
    await expect(dialog(page).getByRole("alert")).toHaveText(
      "tickets refused the prompt review: There is no ticket 0.",
    );
    await ticket.fill("17");
    await dialog(page).getByRole("textbox", { name: "tone (optional)" }).fill("briefly");
    await insert.click();
    await expect(dialog(page)).toHaveCount(0);
    await expect(field(page)).toHaveValue("Review ticket 17 briefly.\n\n<b>Be short.</b>");
    await expect(field(page)).toBeFocused();
    await expect(
      page.getByText("Inserted without 2 parts that aren't text: image/png, file:///plan.bin"),
    ).toBeVisible();
    // Nothing was sent before this, or there would be two.
    await page.keyboard.press("Enter");
    await expect
      .poll(() => gateway.asked)
      .toEqual([
        expect.objectContaining({ message: "Review ticket 17 briefly.\n\n<b>Be short.</b>" }),
      ]);
    // As text, not as the server's markup.
    await expect(page.locator("[data-question]").last()).toContainText("<b>Be short.</b>");
    await expect
      .poll(() => gateway.mcp.sent)
      .toEqual([
        {
          path: "/workspace/heat-pump-retrofit/mcp-prompts/1",
          body: { name: "review", arguments: { ticket: "0" } },
        },
        {
          path: "/workspace/heat-pump-retrofit/mcp-prompts/1",
          body: { name: "review", arguments: { ticket: "17", tone: "briefly" } },
        },
      ]);
  });

  test("without arguments are inserted at once, unless they are too long", async ({ page }) => {
    await field(page).pressSequentially("/today");
    await list(page)
      .getByRole("option", { name: /^today/ })
      .click();
    await expect(field(page)).toHaveValue("What should I do today?");
    await field(page).fill("");
    await field(page).pressSequentially("/manual");
    await list(page)
      .getByRole("option", { name: /^manual/ })
      .click();
    await expect(
      page.getByText("manual is 240 kB long. A message can have at most 200 kB."),
    ).toBeVisible();
    await expect(field(page)).toHaveValue("");
  });

  test("that load late don't move what is chosen", async ({ page }) => {
    const prompts = Promise.withResolvers<void>();
    await page.route("**/mcp-prompts", async (route) => {
      await prompts.promise;
      await route.continue();
    });
    await field(page).pressSequentially("/");
    const manage = list(page).getByRole("option", { name: "Manage commands" });
    await expect(manage).toBeVisible();
    await page.keyboard.press("ArrowUp");
    await expect(manage).toHaveAttribute("aria-selected", "true");
    prompts.resolve();
    await expect(list(page).getByRole("option", { name: /^today/ })).toBeVisible();
    await expect(manage).toHaveAttribute("aria-selected", "true");
  });

  test.describe("on a phone", () => {
    test.use(phone);
    test("are filled in", async ({ page }) => {
      await field(page).pressSequentially("/rev");
      await list(page)
        .getByRole("option", { name: /^Review a ticket/ })
        .click();
      await dialog(page).getByRole("textbox", { name: "Ticket" }).fill("17");
      await expectAccessible(page);
      await dialog(page).getByRole("button", { name: "Insert prompt" }).click();
      await expect(field(page)).toHaveValue(/^Review ticket 17 kindly\./);
    });
  });
});
