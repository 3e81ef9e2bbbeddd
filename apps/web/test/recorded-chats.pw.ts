import type { Page } from "@playwright/test";
import { expectAccessibleOnAllScreens } from "./accessibility.ts";
import { admin, dialog, go, row } from "./admin-page.ts";
import { expect, test } from "./fixtures.ts";

const path = "/settings/workspace-chats";
const open = (page: Page, number: number) =>
  page.getByRole("button", { name: `Question ${number}:` }).click();

test.describe("recorded chats", () => {
  test("open to the answer with sources and rating, accessibly", async ({ page, gateway }) => {
    await go(page, gateway, "olu", path);
    await expect(page.getByRole("status").getByText("1 to 20 of 45")).toBeVisible();
    await open(page, 45);
    const details = page.getByRole("cell", { name: /^Chat with unknown user, / });
    await expect(details).toContainText("At 48 °C most radiators cover the room load [1].");
    await expect(details).not.toContainText("think>");
    const reasoning = details.getByText("The survey lists the radiators.");
    await expect(reasoning).toBeHidden();
    await details.getByText("The model's reasoning").click();
    await expect(reasoning).toBeVisible();
    await expect(details.getByRole("listitem")).toHaveText([
      "survey.txt",
      "Heat load calculation.pdf, page 12",
    ]);
    await expect(details).toContainText("Bad: Incomplete: No source");
    await open(page, 42);
    await expect(page.getByRole("list", { name: "Chosen with @" })).toHaveText("plans");
    await expect(row(page, "Question 43:")).toContainText("Good");
    await expect(row(page, "Question 44:")).toContainText("Excluded from history");
    await expectAccessibleOnAllScreens(page, { minor: true });
  });

  test("keep page and filters in the address, and export what is shown", async ({
    page,
    gateway,
  }) => {
    const asked = () => gateway.recordedChats.asked.at(-1);
    await go(page, gateway, admin, path);
    await page.getByRole("button", { name: "Older" }).click();
    await expect(page.getByRole("status").getByText("21 to 40 of 45")).toBeVisible();
    await page.getByLabel("Rating").selectOption("Bad");
    await expect(page.getByRole("status").getByText("1 to 15 of 15")).toBeVisible();
    await page.getByLabel("Workspace").selectOption("Heat-pump retrofit");
    await page.getByLabel("User").selectOption("Without an account");
    await page.getByLabel("From").fill("2026-11-01");
    await page.getByLabel("Search chats").pressSequentially("question 45");
    await expect(page.getByRole("status").getByText("1 to 1 of 1")).toBeVisible();
    await expect(page.getByLabel("Search chats")).toBeFocused();
    await page.reload();
    await expect(page.getByRole("status").getByText("1 to 1 of 1")).toBeVisible();
    const filter = {
      rating: "bad",
      workspaceId: 1,
      userId: "none",
      from: "2026-11-01",
      search: "question 45",
    };
    await expect.poll(asked).toEqual({
      path: "/system/workspace-chats",
      input: { ...filter, offset: 0, limit: 20 },
    });
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Export" }).click();
    await page.getByRole("menuitem", { name: "CSV" }).click();
    expect((await download).suggestedFilename()).toBe("chats.csv");
    await expect
      .poll(() => asked())
      .toEqual({
        path: "/system/export-chats",
        input: { ...filter, workspaceId: "1", type: "csv" },
      });
    await page.getByRole("button", { name: "Clear filters" }).click();
    await expect(page.getByRole("status").getByText("1 to 20 of 45")).toBeVisible();
    await expect(page.getByLabel("Search chats")).toHaveValue("");
    await page.getByLabel("Search chats").fill("nothing like it");
    await expect(page.getByRole("heading", { name: "No matching chats" })).toBeVisible();
  });

  test("are deleted, one or all", async ({ page, gateway }) => {
    await go(page, gateway, admin, path);
    await open(page, 44);
    await page.getByRole("button", { name: "Delete chat" }).click();
    await expect(dialog(page)).toContainText("mira_kowalska's conversation");
    await dialog(page).getByRole("button", { name: "Delete chat" }).click();
    await expect(row(page, "Question 44:")).toBeHidden();
    await expect(page.getByRole("status").getByText("1 to 20 of 44")).toBeVisible();
    await page.getByLabel("Rating").selectOption("Good");
    await page.getByRole("button", { name: "Delete matching chats" }).click();
    await expect(dialog(page)).toContainText("15 recorded chats");
    await dialog(page).getByRole("button", { name: "Delete matching chats" }).click();
    await expect(page.getByRole("heading", { name: "No chats yet" })).toBeVisible();
    await expect
      .poll(() => gateway.recordedChats.asked.map((each) => [each.path, each.input]))
      .toContainEqual(["/system/workspace-chats/-1", { rating: "good" }]);
  });

  test("are hidden with DISABLE_VIEW_CHAT_HISTORY", async ({ page, gateway }) => {
    gateway.accounts.setup = { DisableViewChatHistory: true };
    await go(page, gateway, admin, path);
    await expect(page.getByRole("heading", { name: "Chats are hidden" })).toBeVisible();
    await expect.poll(() => gateway.recordedChats.asked).toEqual([]);
  });
});
