import { dialog, menu, row } from "./admin-page.ts";
import { expect, test } from "./fixtures.ts";

const list = "/settings/embed-chat-widgets";

test.describe("chat widgets", () => {
  test("are created, and get sites, limits and messages", async ({ page, gateway }) => {
    await page.goto("/settings/embed-config");
    await page.waitForURL(`**${list}`);
    await page.getByRole("button", { name: "Create widget" }).click();
    await dialog(page).getByLabel("Name").fill("Help desk");
    await dialog(page).getByLabel("Workspace").selectOption("Tenant handbook");
    await dialog(page).getByRole("button", { name: "Create widget" }).click();
    await page.waitForURL(`**${list}?widget=1`);
    await expect(page.getByText("No site can use the widget until you add one.")).toBeVisible();

    await page.getByLabel("Sites", { exact: true }).fill("www.example.com\nhttps://*.example.com");
    await page.getByLabel("Limit: Per visitor").fill("0");
    await page.getByRole("button", { name: "Save changes" }).click();
    await expect(page.getByText("Not a valid site address: https://*.example.com")).toBeVisible();
    await expect(page.getByText("Enter a whole number from 1, or leave it empty.")).toBeVisible();
    await page.getByLabel("Sites", { exact: true }).fill("www.example.com");
    await page.getByLabel("Limit: Per visitor").fill("30");
    await page.getByLabel("Message when reached: Per visitor").fill("Enough for today.");
    await expect(page.getByLabel("Limit: All visitors")).toHaveValue("1000");
    await page.getByLabel("Limit: All visitors").fill("");
    await page.getByLabel("Greeting").fill("Hello!");
    await page.getByLabel("Suggested messages").fill("When are you open?\n\nWhere are you?");
    await page.getByLabel("Position").selectOption("Top left");
    const preview = page.frameLocator("iframe").locator("pre");
    await expect(preview).toContainText('"greeting": "Hello!"');
    await expect(preview).toContainText('"position": "top-left"');
    await expect(preview).toContainText("Where are you?");
    await page.getByRole("switch", { name: "Show sources" }).click();
    await page.getByRole("button", { name: "Save changes" }).click();
    await expect(page.getByText("Widget saved")).toBeVisible();
    const [created, updated] = gateway.widgets.sent;
    expect(created).toMatchObject({
      body: { name: "Help desk", workspace_id: 2, allow_any_origin: false },
    });
    expect(updated).toMatchObject({
      path: "/embed/update/1",
      body: {
        allowlist_domains: ["https://www.example.com"],
        allow_any_origin: false,
        max_chats_per_visitor: 30,
        max_chats_per_day: null,
        max_chats_per_address: 200,
        suggested_messages: ["When are you open?", "Where are you?"],
        show_sources: true,
      },
    });
    expect(updated!.body.limit_messages).toMatchObject({ visitor: "Enough for today." });
    await page.getByRole("button", { name: "All widgets" }).click();
    await expect(row(page, "Help desk")).toContainText("https://www.example.com");
  });

  test("warn about any site, and keep attributes that the form doesn't show", async ({
    page,
    gateway,
  }) => {
    gateway.widgets.fill();
    await page.goto(`${list}?widget=1`);
    await page.getByRole("radio", { name: "Any site" }).click();
    await expect(page.getByText("Anyone can put this widget on their site.")).toBeVisible();
    await page.getByRole("button", { name: "Save changes" }).click();
    await expect(page.getByText("Widget saved")).toBeVisible();
    await expect
      .poll(() => gateway.widgets.sent[0]!.body)
      .toMatchObject({
        allowlist_domains: [],
        allow_any_origin: true,
        appearance: { assistantName: "Robin", textSize: "14" },
      });
    await page.getByRole("button", { name: "Add to a site" }).click();
    await expect(dialog(page).getByRole("group").first()).toContainText(
      'data-assistant-name="Robin"',
    );
    await expect(dialog(page)).toContainText(
      `${gateway.url}/embed/00000000-0000-4000-8000-000000000001/chat`,
    );
  });

  test("don't promise any site where the instance requires a list", async ({ page, gateway }) => {
    gateway.widgets.fill();
    await page.goto(list);
    await expect(row(page, "Tenant handbook")).toContainText("Any site");
    gateway.widgets.isListRequired = true;
    await page.reload();
    await expect(row(page, "Tenant handbook")).toContainText("None");
    await page.goto(`${list}?widget=2`);
    await expect(page.getByText("This instance requires a list of sites")).toBeVisible();
    await page.getByRole("button", { name: "Add to a site" }).click();
    await expect(dialog(page)).toContainText("The widget is disabled.");
  });

  test("are enabled, and deleted after a confirmation", async ({ page, gateway }) => {
    gateway.widgets.fill();
    await page.goto(list);
    await menu(page, "Tenant handbook", "Enable");
    await expect(row(page, "Tenant handbook")).not.toContainText("Disabled");
    await menu(page, "Help desk", "Delete widget");
    await expect(dialog(page)).toContainText("its 110 chats are deleted");
    await dialog(page).getByRole("button", { name: "Delete widget" }).click();
    await expect(row(page, "Help desk")).toHaveCount(0);
    await expect
      .poll(() => gateway.widgets.sent)
      .toMatchObject([
        { path: "/embed/update/2", body: { enabled: true } },
        { method: "DELETE", path: "/embed/1" },
      ]);
  });

  test("show the identity secret once", async ({ page, gateway }) => {
    gateway.widgets.fill();
    await page.goto(`${list}?widget=1`);
    await page.getByRole("button", { name: "Create secret" }).click();
    await expect(dialog(page).getByLabel("Secret")).toHaveValue("an-identity-secret");
    await dialog(page).getByRole("button", { name: "Done" }).click();
    await expect(page.getByText("A secret is set.")).toBeVisible();
    await page.getByRole("button", { name: "Delete secret" }).click();
    await dialog(page).getByRole("button", { name: "Delete secret" }).click();
    await expect(page.getByText("No secret. Visitors are anonymous.")).toBeVisible();
  });

  test("tell what they cost by day", async ({ page, gateway }) => {
    gateway.widgets.fill();
    await page.goto(list);
    await menu(page, "Help desk", "Usage");
    await expect(dialog(page).getByRole("row")).toHaveCount(3);
    await expect(dialog(page).getByRole("row", { name: /^Nov 21/ })).toHaveText(/3.*1.*Unknown/);
    await expect(dialog(page)).toContainText("8,900");
    await dialog(page).getByRole("radio", { name: "7 days" }).click();
    await expect.poll(() => new Set(gateway.widgets.usagePeriods).size).toBe(2);
    await dialog(page).getByRole("link", { name: "Open in Usage" }).click();
    await page.waitForURL(/settings\/usage\?.*widgetId=1/);
    await page.getByRole("link", { name: "Remove filter: Chat widget: Help desk" }).click();
    await expect(page).not.toHaveURL(/widgetId/);
  });

  test("list their chats by session, to delete or export", async ({ page, gateway }) => {
    gateway.widgets.fill();
    await page.goto(list);
    await menu(page, "Help desk", "Chats");
    await page.waitForURL("**/settings/embed-chats?widget=1");
    const sessions = page.getByRole("table", { name: "Visitor chats" });
    await expect(sessions).toHaveAttribute("aria-rowcount", "51");
    await page.getByRole("button", { name: "Show older" }).click();
    await expect(sessions).toHaveAttribute("aria-rowcount", "56");
    await page.reload();
    const signed = page.getByRole("row", { name: /Visit 1:/ });
    await expect(signed.getByRole("img", { name: "Verified" })).toBeVisible();
    const claimed = page.getByRole("row", { name: /Visit 2:/ });
    await expect(claimed).toContainText("Not verified");
    await expect(claimed.getByRole("img")).toHaveCount(0);
    await page.getByRole("button", { name: "Visit 1:" }).click();
    const details = page.getByRole("cell", { name: /^Chat with Ada Visitor, / });
    await expect(details.getByRole("listitem")).toHaveCount(2);
    await expect(details).toContainText("From 9 to 17 [2].");
    await details.getByRole("button", { name: "Delete question" }).first().click();
    await dialog(page).getByRole("button", { name: "Delete question" }).click();
    await expect(details.getByRole("listitem")).toHaveCount(1);
    const saved = page.waitForEvent("download");
    await details.getByRole("button", { name: "Export chat" }).click();
    await page.getByRole("menuitem", { name: "JSONL" }).click();
    await saved;
    await details.getByRole("button", { name: "Delete chat" }).click();
    await dialog(page).getByRole("button", { name: "Delete chat" }).click();
    await expect(page.getByRole("button", { name: "Visit 1:" })).toHaveCount(0);
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Export chats" }).click();
    await page.getByRole("menuitem", { name: "CSV" }).click();
    expect((await download).suggestedFilename()).toBe("visitor-chats.csv");
    await expect
      .poll(() => gateway.widgets.sent)
      .toMatchObject([
        { method: "DELETE", path: "/embed/chats/2" },
        { body: { chatType: "embed", embedId: "1", sessionId: "session-1", type: "jsonl" } },
        { method: "DELETE", path: "/embeds/1/sessions/session-1" },
        { body: { chatType: "embed", embedId: "1", type: "csv" } },
      ]);
    await page.getByLabel("Widget", { exact: true }).selectOption("Tenant handbook");
    await expect(page.getByText("No chats yet")).toBeVisible();
  });
});
