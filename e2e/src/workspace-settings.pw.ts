import type { Page } from "@playwright/test";
import { expect, home, slug, test } from "./product.ts";

// The tests share one workspace; the last one switches the instance to user accounts.
test.describe.configure({ mode: "serial" });
test.use({ environment: { CARREL_TRASH_DAYS: "7" } });
test.beforeAll(async ({ product: { api, useVendor } }) => {
  await useVendor();
  for (const name of ["Harbour house", "Winter café"]) await api.makeWorkspace(name);
  const { status } = await api.upload(
    "upload-and-embed",
    slug,
    "handbook.md",
    "# Handbook\n\nGlass is collected on the second Tuesday of the month.\n",
    "text/markdown",
  );
  expect(status).toBe(200);
});

const workspaces = (page: Page) => page.locator("[data-workspace] > div:first-child a > [title]");
const openSettings = async (page: Page, tab: string): Promise<void> => {
  await page.goto(`${home}/settings/${tab}`);
  await expect(page.getByRole("navigation", { name: "Workspace settings" })).toBeVisible();
};
const save = async (page: Page): Promise<void> => {
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByText("Workspace updated.").last()).toBeVisible();
  await expect(page.getByRole("button", { name: "Save changes", disabled: true })).toBeVisible();
};

test("changes workspace settings, and warns before unsaved input is lost", async ({
  page,
  chat,
  product,
}) => {
  await openSettings(page, "general-appearance");
  await page.getByLabel("Workspace name").fill("Harbour house 12");
  await page.getByRole("button", { name: "Add message" }).click();
  await page.getByLabel("Heading of message 1").fill("Explain to me");
  await page.getByLabel("Text of message 1").fill("the waste plan");
  await save(page);
  await page
    .locator("input[type=file]")
    .first()
    .setInputFiles({
      name: "house.png",
      mimeType: "image/png",
      buffer: await page.screenshot({ clip: { x: 0, y: 0, width: 64, height: 64 } }),
    });
  await expect(page.getByText("Picture uploaded.")).toBeVisible();
  await expect(page.locator('[data-slot=sidebar] img[src^="blob:"]')).toBeVisible();
  await page.getByRole("button", { name: "Remove picture" }).click();
  await expect(page.getByText("Picture removed.")).toBeVisible();

  await page.getByRole("link", { name: "Chat settings" }).click();
  await page.getByLabel("Chat history").fill("46");
  await expect(page.getByText("More than 45 messages may not fit")).toBeVisible();
  await page.getByRole("radio", { name: /^Query/ }).check();
  await page.getByRole("link", { name: "Vector database" }).click();
  await expect(chat.dialog.getByText("Leave without saving?")).toBeVisible();
  await chat.dialog.getByRole("button", { name: "Cancel" }).click();
  await page.getByLabel("Query refusal response").fill("Not in the books.");
  await page.getByRole("textbox", { name: "Prompt" }).fill("Be brief.");
  await save(page);
  await page.getByRole("link", { name: "Vector database" }).click();
  await page.getByLabel("Maximum passages per answer").fill("6");
  await page.getByRole("radio", { name: /^Medium/ }).check();
  await save(page);
  await expect
    .poll(
      async () =>
        (
          await product.api.json<{ workspace: Record<string, unknown> }>(
            "GET",
            `/workspace/${slug}`,
          )
        ).workspace,
    )
    .toMatchObject({
      name: "Harbour house 12",
      chatMode: "query",
      openAiHistory: 46,
      openAiPrompt: "Be brief.",
      queryRefusalResponse: "Not in the books.",
      topN: 6,
      similarityThreshold: 0.5,
    });

  await page.getByRole("button", { name: "Reset vector database" }).click();
  await expect(chat.dialog.getByText("You can't undo this.")).toBeVisible();
  await chat.dialog.getByRole("button", { name: "Reset vector database" }).click();
  await expect(page.getByText("Vector database reset.")).toBeVisible();
  await page.goto(home);
  await chat.ask("Who won the cup?");
  await expect(page.getByText("Not in the books.")).toBeVisible();
});

test("deletes a workspace for everybody once its name is typed", async ({ page, chat }) => {
  await page.goto("/workspace/winter-cafe/settings/general-appearance");
  await page.getByRole("button", { name: "Delete workspace…" }).click();
  await expect(
    chat.dialog.getByText(
      "This deletes the workspace with all its threads and embeddings for everyone. Source files stay in the library. You can't undo this.",
    ),
  ).toBeVisible();
  await expect(
    chat.dialog.getByRole("button", { name: "Delete workspace", disabled: true }),
  ).toBeVisible();
  await chat.dialog.getByRole("textbox").fill("Winter café");
  await chat.dialog.getByRole("button", { name: "Delete workspace" }).click();
  await expect(page.getByText("Winter café was deleted.")).toBeVisible();
  await expect(workspaces(page).filter({ hasText: "Winter café" })).toHaveCount(0);
});

test("adds and removes members", async ({ page, chat, product }) => {
  const { api } = product;
  await openSettings(page, "members");
  await expect(page.getByText("This instance has no user accounts")).toBeVisible();
  await page.goto("/robots.txt"); // no app page is open meanwhile
  expect(
    await api.json("POST", "/system/enable-multi-user", {
      username: "mira_k",
      password: "harbour-lights",
    }),
  ).toMatchObject({ success: true });
  const { token, user } = await api.json<{ token: string; user: unknown }>(
    "POST",
    "/request-token",
    { username: "mira_k", password: "harbour-lights" },
  );
  api.token = token;
  await api.json("POST", "/admin/users/new", {
    username: "jo",
    password: "evening-tide",
    role: "default",
  });
  await page.evaluate(
    ([told, person]) => {
      localStorage.setItem("anythingllm_authToken", told);
      localStorage.setItem("anythingllm_user", person);
    },
    [token, JSON.stringify(user)] as const,
  );
  await openSettings(page, "members");
  await page.getByRole("button", { name: "Add or remove members" }).click();
  await chat.dialog.getByLabel("jo").check();
  await chat.dialog.getByRole("button", { name: /^Save/ }).click();
  await expect(page.getByRole("row").filter({ hasText: "jo" }).getByText("Member")).toBeVisible();
  await chat.choose("Menu for jo", "Remove from workspace");
  await expect(chat.dialog.getByText("jo will no longer see this workspace.")).toBeVisible();
  await chat.dialog.getByRole("button", { name: "Remove from workspace" }).click();
  await expect(page.getByText("jo is no longer a member.")).toBeVisible();
  await expect(page.getByRole("row").filter({ hasText: "jo" })).toHaveCount(0);
});
