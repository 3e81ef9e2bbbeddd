import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { dialog } from "./admin-page.ts";
import { hostileText } from "./fake-hub.ts";
import { expect, phone, test, threadPath } from "./fixtures.ts";

const hub = "/settings/community-hub";
const importIt = async (page: Page, id: string): Promise<void> => {
  await page.goto(`${hub}/import-item?id=allm-community-id:${id}`);
};
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

test.describe("the community hub", () => {
  test("is off until an admin chooses one", async ({ page, gateway }) => {
    await page.goto(hub);
    await expect(page).toHaveURL(/\/community-hub\/trending$/);
    await expect(page.getByText("Carrel contacts no hub until you choose one")).toBeVisible();
    await page.getByRole("link", { name: "Choose a hub" }).click();
    await page.getByRole("radio", { name: /^Server/ }).check();
    await expect(page.getByLabel("Address")).toHaveValue("https://hub.external.anythingllm.com/v1");
    await page.getByLabel("Address").fill("");
    await button(page, "Save changes").click();
    await expect(page.getByText("Fill in this field.")).toBeVisible();
    await page.getByLabel("Address").fill("https://hub.example.com/v1");
    await page.getByLabel("Connection key").fill("hub-key-1234567890");
    await page.getByRole("radio", { name: /^Verified only/ }).check();
    await button(page, "Check hub").click();
    await expect(page.getByText("The hub answers. It lists 0 items.")).toBeVisible();
    await expect(page.getByText("slash-command/odd")).toBeVisible();
    await button(page, "Save changes").click();
    await expect(page.getByText("Saved the hub.")).toBeVisible();
    await expect
      .poll(() => gateway.hub.sent.at(-1)?.body)
      .toEqual({
        source: { kind: "server", address: "https://hub.example.com/v1" },
        downloads: "verified",
        connectionKey: "hub-key-1234567890",
      });
    // Only its end is shown, and saving something else sends no key.
    await expect(page.getByLabel("Connection key")).toHaveValue("********7890");
    await expect(page.getByText("Plain prose")).toHaveCount(0);
    await page.getByRole("radio", { name: /^Allow all/ }).check();
    await button(page, "Save changes").click();
    await expect
      .poll(() => Object.keys(gateway.hub.sent.at(-1)!.body))
      .toEqual(["source", "downloads"]);
  });

  test("can be a Git repository or a folder", async ({ page, gateway }) => {
    await page.goto(`${hub}/authentication`);
    await page.getByRole("radio", { name: /^Folder/ }).check();
    await expect(page.getByLabel("Folder", { exact: true })).toHaveValue("/srv/hub");
    await page.getByRole("radio", { name: /^Git repository/ }).check();
    await page.getByLabel("Git server").selectOption("GitLab");
    await page.getByLabel("Repository", { exact: true }).fill("https://gitlab.com/house/hub");
    await button(page, "Save changes").click();
    await expect
      .poll(() => gateway.hub.settings.source)
      .toEqual({
        kind: "repository",
        platform: "gitlab",
        repo: "https://gitlab.com/house/hub",
        branch: "",
      });
  });

  test("lists items by type, finds them, and loads more", async ({ page, gateway }) => {
    gateway.hub.fill();
    await page.goto(hub);
    const cards = page.getByRole("main").getByRole("listitem");
    await expect(cards).toHaveCount(3);
    await expect(cards.filter({ hasText: "Rhyming assistant" })).toContainText("Verified");
    await expect(cards.filter({ hasText: "House style" })).toContainText("Private");
    await page.getByRole("radio", { name: "Commands" }).click();
    await expect(page.getByText("31 items")).toBeVisible();
    await expect(cards).toHaveCount(24);
    await button(page, "Load more").click();
    await expect(cards).toHaveCount(31);
    await expect(button(page, "Load more")).toHaveCount(0);
    await expect(page.getByText("The hub has more than it lists here.")).toBeVisible();
    await page.getByRole("searchbox", { name: "Search" }).last().fill("sum");
    await page.keyboard.press("Enter");
    await expect(cards).toHaveCount(1);
    await expect(page).toHaveURL(/type=slash-command&search=sum/);
    await page.getByRole("link", { name: "Sum up" }).click();
    await expect(page).toHaveURL(/import-item\?id=allm-community-id/);
    // The next request gets the fault, so this page's must have been made.
    await expect(page.getByText("Sum it up in one sentence.")).toBeVisible();
    gateway.hub.fault = { status: 502, code: "hub.said", params: { hub: "hub", reason: "no" } };
    await page.goto(`${hub}/trending?type=agent-flow`);
    await expect(page.getByText("hub refused: no")).toBeVisible();
    await button(page, "Retry").click();
    await expect(cards).toHaveCount(1);
  });

  test("replaces the prompt of the workspace that was chosen", async ({ page, gateway }) => {
    gateway.hub.fill();
    await importIt(page, "system-prompt:rhymes");
    await expect(page.getByText(hostileText)).toBeVisible();
    await expect(page).not.toHaveTitle(/hacked/);
    await expect(button(page, "Replace system prompt")).toBeDisabled();
    await page.getByLabel("Workspace whose system prompt is replaced").selectOption({ index: 1 });
    await expect(page.getByText("Answer from the documents.")).toBeVisible();
    await button(page, "Replace system prompt").click();
    await expect(page.getByText("Imported “Rhyming assistant”")).toBeVisible();
    await expect
      .poll(() => gateway.hub.sent.at(-1)?.body)
      .toEqual({
        importId: "allm-community-id:system-prompt:rhymes",
        options: { digest: "0".repeat(64), replace: false, workspaceSlug: "heat-pump-retrofit" },
      });
    await page.getByRole("link", { name: "Open workspace settings" }).click();
    await expect(page).toHaveURL(/workspace\/heat-pump-retrofit\/settings\/chat-settings/);
  });

  test("shows both prompts of a command that is taken", async ({ page, gateway }) => {
    gateway.hub.fill();
    await page.goto(`${hub}/import-item`);
    const field = page.getByLabel("Import ID");
    await field.fill("sum-up");
    await button(page, "Preview item").click();
    await expect(page.getByText("An import ID looks like")).toBeVisible();
    await field.fill("allm-community-id:slash-command:sum");
    await button(page, "Preview item").click();
    await expect(page.getByText("Sum it up in one sentence.")).toBeVisible();
    gateway.hub.fault = { status: 409, code: "hub.item-changed" };
    await button(page, "Replace my command").click();
    await expect(page.getByText("The item has changed since you looked at it.")).toBeVisible();
    await button(page, "Reload preview").click();
    await button(page, "Replace my command").click();
    await expect(page.getByText("Type /sum-up in a message to use it.")).toBeVisible();
    await expect
      .poll(() => gateway.hub.sent.at(-1)?.body)
      .toMatchObject({ options: { replace: true } });
    await button(page, "Import another item").click();
    await expect(field).toBeVisible();
  });

  test("shows a flow's blocks and where they send to", async ({ page, gateway }) => {
    gateway.hub.fill();
    await importIt(page, "agent-flow:weather");
    for (const text of [
      "imported switched off and isn't shared",
      "Get the weather",
      "https://weather.example.com",
      "weather-key",
      "mail-key: missing",
    ])
      await expect(page.getByText(text)).toBeVisible();
    await button(page, "Import flow").click();
    await expect(page.getByRole("link", { name: "Open flow" })).toHaveAttribute(
      "href",
      /builder\/1111/,
    );
  });

  test("shows a skill's files and permissions before it is installed", async ({
    page,
    gateway,
  }) => {
    gateway.hub.fill();
    await importIt(page, "agent-skill:tides");
    await expect(page.getByText("Community Hub bundle downloads are not enabled.")).toBeVisible();
    await expect(button(page, "Install skill")).toBeDisabled();
    gateway.hub.settings.downloads = "verified";
    await page.reload();
    await expect(page.getByText("Sends requests to tides.example.com")).toBeVisible();
    await page.getByRole("button", { name: "handler.js" }).click();
    await expect(page.getByText("module.exports.runtime")).toBeVisible();
    await expect(page.getByRole("button", { name: "logo.png" })).toBeDisabled();
    await button(page, "Install skill").click();
    await expect(page.getByText("The skill is switched off.")).toBeVisible();
    await expect.poll(() => gateway.hub.sent.at(-1)?.path).toBe("/community-hub/import");
  });

  test("says so if an item doesn't exist", async ({ page, gateway }) => {
    gateway.hub.fill();
    await importIt(page, "agent-flow:none");
    await expect(page.getByText("has no such item")).toBeVisible();
    await button(page, "Choose another item").click();
    await expect(page.getByLabel("Import ID")).toBeVisible();
  });

  test("gets a flow, after what looks like a secret was looked at", async ({ page, gateway }) => {
    gateway.hub.fill();
    gateway.flows.fill();
    gateway.hub.secrets = ["block 2: header Authorization"];
    await page.goto("/settings/agents?view=flows");
    await page.getByRole("link", { name: "Weather report" }).click();
    await button(page, "More for this flow").click();
    await page.getByRole("menuitem", { name: "Publish to hub" }).click();
    await expect(page.getByLabel("Name")).toHaveValue("Weather report");
    await page.getByLabel("Tags").fill("nature, , reports");
    await page.getByRole("radio", { name: "Public" }).click();
    await button(page, "Review before publishing").click();
    await expect(page.getByText("block 2: header Authorization")).toBeVisible();
    await expect(button(page, "Publish")).toBeDisabled();
    await page.getByRole("checkbox").check();
    await button(page, "Publish").click();
    await expect(page.getByText("allm-community-id:agent-flow:published1")).toBeVisible();
    await expect
      .poll(() => gateway.hub.sent.at(-1))
      .toMatchObject({
        path: "/community-hub/agent-flow/create",
        body: { name: "Weather report", tags: ["nature", "reports"], visibility: "public" },
      });
  });

  test("gets a slash command as a file to commit", async ({ page, gateway }) => {
    gateway.hub.fill();
    gateway.hub.target = "repository";
    await page.goto(threadPath);
    await page.getByRole("textbox").last().fill("/");
    await page.getByRole("option", { name: /commands/i }).click();
    await dialog(page)
      .getByRole("link", { name: /^Publish \// })
      .first()
      .click();
    await button(page, "Review before publishing").click();
    await expect(page.getByText("publishing is a commit")).toBeVisible();
    const download = page.waitForEvent("download");
    await button(page, "Download file").click();
    const file = await download;
    expect(file.suggestedFilename()).toBe("item.json");
    expect(await readFile(await file.path(), "utf8")).toContain('"itemType": "slash-command"');
  });
});

test.describe("the community hub on a phone", () => {
  test.use(phone);

  test("fits, and imports a command", async ({ page, gateway }) => {
    gateway.hub.fill();
    await page.goto(`${hub}/trending?type=slash-command`);
    await page.getByRole("link", { name: "Sum up" }).click();
    await button(page, "Replace my command").click();
    await expect(page.getByText("Type /sum-up in a message")).toBeVisible();
    const overflow = () =>
      page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
    for (const path of [
      "trending",
      "authentication",
      "import-item?id=allm-community-id:agent-skill:tides",
    ]) {
      await page.goto(`${hub}/${path}`);
      await expect(page.getByRole("navigation", { name: "Community hub" })).toBeVisible();
      expect(await overflow()).toBe(false);
    }
  });
});
