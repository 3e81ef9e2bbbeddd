import type { Locator, Page } from "@playwright/test";
import { signedIn } from "./account-screens.ts";
import type { FakeGateway } from "./fake-gateway.ts";
import { expect, phone, test, threadPath } from "./fixtures.ts";

const reasons = {
  create:
    "Only managers and admins can create workspaces here. Ask an admin to let members do it, or to create one for you.",
  manage:
    "Only managers, admins and whoever created it can change this workspace. Ask one of them.",
  upload:
    "Only managers and admins can add documents here. Ask an admin to let members do it, or to add them for you.",
  model:
    "Only managers and admins can choose the language model here. Ask an admin to let members do it, or to change it for you.",
};
const documents = "/workspace/heat-pump-retrofit/documents";

async function asMember(page: Page, gateway: FakeGateway): Promise<void> {
  gateway.accounts.add("jo", "default");
  gateway.workspaceSettings.mayChoose = false;
  await signedIn(page, gateway, "jo");
}

/** Expects the button to explain itself to screen readers and, once pressed, to everyone. */
async function explains(door: Locator, reason: string, press: () => Promise<void>): Promise<void> {
  await expect(door).toHaveAccessibleDescription(reason);
  await press();
  const explanation = door.page().getByRole("dialog", { name: reason });
  await expect(explanation).toHaveText(reason);
  await expect(explanation).toBeInViewport({ ratio: 1 });
  await door.page().keyboard.press("Escape");
  await expect(explanation).toHaveCount(0);
  await expect(door).toBeFocused();
}

test.describe("a closed door says why, and whom to ask", () => {
  test("with mouse and keyboard", async ({ page, gateway }) => {
    await asMember(page, gateway);
    await page.goto(threadPath);
    const create = page.getByRole("button", { name: "New workspace" });
    await explains(create, reasons.create, () => create.click());
    await explains(create, reasons.create, () => create.press("Enter"));
    const model = page.getByRole("button", { name: "Language model: llama3.2" });
    await expect(model).toHaveText("llama3.2");
    await explains(model, reasons.model, () => model.click());
    const settings = page.getByRole("button", { name: "Workspace settings" });
    await explains(settings, reasons.manage, () => settings.press("Enter"));
    await page.goto(documents);
    const upload = page.getByRole("button", { name: "Upload" });
    await explains(upload, reasons.upload, () => upload.click());
  });
  test("in menus and in the palette", async ({ page, gateway }) => {
    await asMember(page, gateway);
    await page.goto(threadPath);
    await page.getByRole("button", { name: /^Menu for Heat/ }).click();
    const item = page.getByRole("menuitem", { name: "Workspace settings" });
    await expect(item).toContainText(reasons.manage);
    await item.click();
    await expect(item).toBeVisible(); // nothing happened
    await page.keyboard.press("Escape");
    await expect(item).toHaveCount(0); // it gives the focus back
    await page.keyboard.press("Control+k");
    await page.getByPlaceholder("Search workspaces").fill("new work");
    const option = page.getByRole("option", { name: "New workspace" });
    await expect(option).toContainText(reasons.create);
    await page.keyboard.press("Enter");
    await expect(page.getByText(reasons.create)).toBeVisible();
  });
  test("people who may not choose a model are not offered one", async ({ page, gateway }) => {
    await asMember(page, gateway);
    await page.goto(threadPath);
    await page.getByRole("button", { name: "Choose a document or folder" }).click();
    const list = page.getByRole("listbox", { name: "Choose a document or folder" });
    await expect(list.getByRole("option").first()).toBeVisible();
    await expect(page.getByRole("button", { name: "or model" })).toHaveCount(0);
  });
  test("memories that an admin has turned off", async ({ page, gateway }) => {
    await asMember(page, gateway);
    await page.goto(threadPath);
    await page.getByRole("button", { name: "Thread menu" }).click();
    await expect(page.getByRole("menuitem", { name: "Memories" })).toContainText(
      "Memories are turned off here. Ask an admin to turn them on.",
    );
  });
  test("while there is no workspace", async ({ page, gateway }) => {
    gateway.workspaces = [];
    await asMember(page, gateway);
    await page.goto("/");
    await expect(page.getByRole("main").getByText(reasons.create)).toBeVisible();
    await expect(page.getByText("An admin or a manager can add you to one.")).toBeVisible();
  });
  test("and is none for those who may", async ({ page, gateway }) => {
    gateway.accounts.add("jo", "default");
    gateway.memberRights = {
      rights: ["createWorkspaces", "uploadDocuments"],
      choosesModels: true,
      ownWorkspaces: [],
    };
    await signedIn(page, gateway, "jo");
    await page.goto(documents);
    await page.getByRole("button", { name: "New workspace" }).click();
    await expect(page.getByRole("dialog", { name: "New workspace" })).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(page.getByTitle(/^Only managers/)).toHaveCount(0);
  });
  test.describe("on a phone", () => {
    test.use(phone);
    test("by touch", async ({ page, gateway }) => {
      await asMember(page, gateway);
      await page.goto(threadPath);
      const model = page.getByRole("button", { name: "Language model: llama3.2" });
      await explains(model, reasons.model, () => model.tap());
      const settings = page.getByRole("button", { name: "Workspace settings" });
      await explains(settings, reasons.manage, () => settings.tap());
      await page.getByRole("button", { name: "Open sidebar" }).tap();
      const create = page.getByRole("button", { name: "New workspace" });
      await explains(create, reasons.create, () => create.tap());
      await page.goto(documents);
      const upload = page.getByRole("button", { name: "Upload" });
      await explains(upload, reasons.upload, () => upload.tap());
      await page.goto("/settings/api-keys");
      await expect(page.getByText(/^Only admins can open that page/)).toBeInViewport({
        ratio: 1,
      });
    });
  });
});
