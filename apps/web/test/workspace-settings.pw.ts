import type { FakeGateway } from "./fake-gateway.ts";
import { expect, test, threadPath } from "./fixtures.ts";
import { as, at, bodies, dialog, go, save } from "./workspace-settings-page.ts";

/** Delays answers to changes until the returned function is called. */
const hold = (gateway: FakeGateway): (() => void) => {
  let answer = (): void => undefined;
  gateway.workspaceSettings.held = new Promise((resolve) => {
    answer = () => {
      gateway.workspaceSettings.held = null;
      resolve();
    };
  });
  return answer;
};

test.describe("access to workspace settings", () => {
  for (const [username, may] of [
    ["jo-brandt", false],
    ["olu", true],
    ["mira_kowalska", true],
  ] as const)
    test(`${username}: ${may}`, async ({ page, gateway }) => {
      await as(page, gateway, username);
      await page.goto(at(gateway, "chat-settings"));
      if (!may) {
        await page.waitForURL("/workspace/heat-pump-retrofit");
        await expect(page.getByLabel("Message", { exact: true })).toBeVisible();
        await expect(page.getByRole("link", { name: "Workspace settings" })).toHaveCount(0);
        return;
      }
      await expect(page.getByRole("heading", { name: "Workspace settings" })).toBeVisible();
      await expect(page.getByRole("link", { name: "Manage variables" })).toHaveCount(
        username === "olu" ? 0 : 1,
      );
    });
  test("are reached from a chat's top bar and the workspace's menu, tab by tab with the keyboard", async ({
    page,
    gateway,
  }) => {
    await page.goto(threadPath);
    await page.getByRole("link", { name: "Workspace settings" }).click();
    await page.waitForURL(at(gateway, "general-appearance"));
    await page.getByRole("button", { name: "Menu for Tenant handbook" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("menuitem", { name: "Workspace settings" }).click();
    await page.waitForURL("/workspace/tenant-handbook/settings/general-appearance");
    for (const [name, tab] of [
      ["Chat settings", "chat-settings"],
      ["Vector database", "vector-database"],
      ["Members", "members"],
      ["Agents", "agent-config"],
    ]) {
      const link = page
        .getByRole("navigation", { name: "Workspace settings" })
        .getByRole("link", { name: name! });
      await link.focus();
      await page.keyboard.press("Enter");
      await page.waitForURL(`**/settings/${tab}`);
      await expect(link).toHaveAttribute("aria-current", "page");
    }
  });
  test("open the first tab for an unknown one, and report an unknown workspace", async ({
    page,
    gateway,
  }) => {
    await page.goto(at(gateway, "nonsense"));
    await page.waitForURL(at(gateway, "general-appearance"));
    await page.goto("/workspace/heat-pump-retrofit/settings");
    await page.waitForURL(at(gateway, "general-appearance"));
    await page.goto("/workspace/nothing/settings/members");
    await expect(page.getByText("Page not found.")).toBeVisible();
  });
});

test.describe("general", () => {
  test("renames, and keeps the typed name if the server refuses it", async ({ page, gateway }) => {
    await go(page, gateway, "general-appearance");
    await expect(page.getByText("18,420")).toBeVisible();
    await page.getByLabel("Workspace name").fill("  ");
    await expect(page.getByText("Enter a name.")).toBeVisible();
    await page.getByRole("button", { name: "Save changes" }).click();
    await expect.poll(() => gateway.workspaceSettings.sent).toEqual([]);
    await page.getByLabel("Workspace name").fill("Heat pumps ");
    gateway.workspaceSettings.refuse = { status: 400, message: "The instance is being moved." };
    await page.getByRole("button", { name: "Save changes" }).click();
    await expect(page.getByText("The server didn't accept this.")).toBeVisible();
    await expect(page.getByLabel("Workspace name")).toHaveValue("Heat pumps ");
    await save(page, gateway);
    await expect.poll(() => bodies(gateway).at(-1)).toEqual({ name: "Heat pumps" });
    await expect(page.locator("[data-slot=sidebar]").getByText("Heat pumps")).toBeVisible();
    await expect(page.getByRole("button", { name: "Save changes" })).toBeDisabled();
  });
  test("edits the suggested messages: at most four, in order", async ({ page, gateway }) => {
    gateway.chat.suggestions = [
      { heading: "One", message: "first" },
      { heading: "Two", message: "second" },
    ];
    await go(page, gateway, "general-appearance");
    await page.getByRole("button", { name: "Add message" }).click();
    await expect(page.getByText("Enter a heading or a message")).toBeVisible();
    await expect(page.getByLabel("Heading of message 3")).toBeFocused();
    await page.keyboard.type("Three");
    await page.getByLabel("Text of message 3").fill("third");
    await page.getByRole("button", { name: "Move message 3 up" }).click();
    await expect(page.getByRole("button", { name: "Move message 2 up" })).toBeFocused(); // focus followed
    await page.keyboard.press("Enter");
    await expect(page.getByLabel("Heading of message 1")).toHaveValue("Three");
    await page.getByRole("button", { name: "Remove message 2" }).click();
    await page.getByLabel("Text of message 2").fill(" last ");
    for (let more = 0; more < 2; more += 1) {
      await page.getByRole("button", { name: "Add message" }).click();
      await expect(page.getByLabel(`Heading of message ${3 + more}`)).toBeFocused();
      await page.keyboard.type(`More ${more}`);
    }
    await expect(page.getByRole("button", { name: "Add message" })).toBeDisabled();
    await save(page, gateway);
    await expect
      .poll(() => gateway.chat.suggestions)
      .toEqual([
        { heading: "Three", message: "third" },
        { heading: "Two", message: "last" },
        { heading: "More 0", message: "" },
        { heading: "More 1", message: "" },
      ]);
    await expect
      .poll(() => gateway.workspaceSettings.sent.map(({ path }) => path))
      .toEqual(["/workspace/heat-pump-retrofit/suggested-messages"]);
  });
  test("uploads a picture, rejects other files, and removes it", async ({ page, gateway }) => {
    await go(page, gateway, "general-appearance");
    const picker = page.getByLabel("Workspace picture", { exact: true }).and(page.locator("input"));
    await picker.setInputFiles({ name: "a.txt", mimeType: "text/plain", buffer: Buffer.from("x") });
    await expect(
      page.getByText("Couldn't upload the picture: Choose an image file."),
    ).toBeVisible();
    gateway.workspaceSettings.refuse = {
      status: 413,
      message: "The image is too large. The limit is 5 MB.",
    };
    await picker.setInputFiles({ name: "a.png", mimeType: "image/png", buffer: Buffer.from("x") });
    await expect(
      page.getByText("Couldn't upload the picture: The image is too large. The limit is 5 MB."),
    ).toBeVisible();
    await picker.setInputFiles({ name: "a.png", mimeType: "image/png", buffer: Buffer.from("x") });
    await expect(page.getByText("Picture uploaded.")).toBeVisible();
    await expect(
      page.getByRole("region", { name: "Workspace picture" }).locator("img"),
    ).toBeVisible();
    await page.getByRole("button", { name: "Remove picture" }).click();
    await expect(page.getByText("Picture removed.")).toBeVisible();
    await expect.poll(() => gateway.workspaces[0]?.pfpFilename).toBeNull();
    await expect(
      page.getByRole("region", { name: "Workspace picture" }).locator("img"),
    ).toHaveCount(0);
  });
  test("deletes only after the name was typed, and goes home", async ({ page, gateway }) => {
    await go(page, gateway, "general-appearance");
    await page.getByLabel("Workspace name").fill("Not saved");
    await page.getByRole("button", { name: "Delete workspace…" }).click();
    await expect(
      dialog(page).getByText("with all its threads and embeddings for everyone"),
    ).toBeVisible();
    const act = dialog(page).getByRole("button", { name: "Delete workspace" });
    await dialog(page).getByLabel("Type “Heat-pump retrofit” to confirm").fill("heat-pump");
    await expect(act).toBeDisabled();
    await page.keyboard.press("Enter");
    await expect.poll(() => gateway.workspaceSettings.sent).toEqual([]);
    await dialog(page).getByLabel(/^Type/).fill("Heat-pump retrofit");
    gateway.workspaceSettings.refuse = {
      status: 403,
      message: "Workspace deletion is blocked by the system administrator.",
    };
    await page.keyboard.press("Enter");
    await expect(
      dialog(page).getByText(
        "Couldn't delete the workspace: An admin has disabled deleting workspaces.",
      ),
    ).toBeVisible();
    const answer = hold(gateway);
    await act.click();
    await expect(dialog(page).getByRole("button", { name: "Deleting workspace" })).toBeVisible();
    answer();
    await expect(page.getByText("Heat-pump retrofit was deleted.")).toBeVisible();
    await page.waitForURL("/workspace/tenant-handbook");
    await expect
      .poll(() =>
        gateway.workspaceSettings.sent.every(
          ({ method, path }) => method === "DELETE" && path === "/workspace/heat-pump-retrofit",
        ),
      )
      .toBe(true);
  });
  test("says so even if the page learns of the deletion before the reply comes", async ({
    page,
    gateway,
  }) => {
    await go(page, gateway, "general-appearance");
    await page.getByRole("button", { name: "Delete workspace…" }).click();
    await dialog(page).getByLabel(/^Type/).fill("Heat-pump retrofit");
    const answer = hold(gateway);
    await dialog(page).getByRole("button", { name: "Delete workspace" }).click();
    // The button says so before the request arrives.
    await expect.poll(() => gateway.workspaceSettings.sent).toMatchObject([{ method: "DELETE" }]);
    gateway.workspaces = gateway.workspaces.filter(({ slug }) => slug !== "heat-pump-retrofit");
    gateway.change({ type: "workspace.deleted", workspaceId: 1 });
    await expect(page.getByText("This workspace no longer exists.")).toBeVisible();
    answer();
    await expect(page.getByText("Heat-pump retrofit was deleted.")).toBeVisible();
    await page.waitForURL("/workspace/tenant-handbook");
  });
});

test.describe("vector database", () => {
  test("shows another client's value as custom, and sends the selected one", async ({
    page,
    gateway,
  }) => {
    gateway.workspaces[0]!.similarityThreshold = 0.4;
    await go(page, gateway, "vector-database");
    await expect(page.getByRole("definition").getByText("heat-pump-retrofit")).toBeVisible();
    await expect(page.getByRole("radio", { name: /^Custom.*0\.4/ })).toBeChecked();
    await page.getByLabel("Maximum passages per answer").fill("0");
    await expect(page.getByText("Enter a whole number from 1 to 100.")).toBeVisible();
    await page.getByLabel("Maximum passages per answer").fill("8");
    await page.getByRole("radio", { name: /^None/ }).check();
    await expect(page.getByRole("radio", { name: /^Standard/ })).toBeChecked();
    await page.getByRole("radio", { name: /^Reranked/ }).check();
    await save(page, gateway);
    await expect
      .poll(() => bodies(gateway))
      .toEqual([{ topN: 8, similarityThreshold: 0, vectorSearchMode: "rerank" }]);
  });
  test("is reset after a confirmation, with progress and result", async ({ page, gateway }) => {
    await go(page, gateway, "vector-database");
    await expect(page.getByText("18,420")).toBeVisible();
    gateway.workspaceSettings.refuse = { status: 400, message: "Bad Request" };
    const reset = async (): Promise<void> => {
      await page.getByRole("button", { name: "Reset vector database" }).click();
      await expect(dialog(page).getByText("You can't undo this.")).toBeVisible();
      await dialog(page).getByRole("button", { name: "Reset vector database" }).click();
    };
    const answer = hold(gateway);
    await reset();
    await expect(page.getByRole("button", { name: "Resetting vector database" })).toBeVisible();
    answer();
    await expect(page.getByText("Couldn't reset the vector database.")).toBeVisible();
    await expect(page.getByText("18,420")).toBeVisible();
    await reset();
    await expect(page.getByText("Vector database reset.")).toBeVisible();
    await expect(page.getByRole("definition").getByText("0", { exact: true })).toBeVisible();
    await expect
      .poll(() => gateway.workspaceSettings.sent.map(({ method, path }) => `${method} ${path}`))
      .toEqual(Array(2).fill("DELETE /workspace/heat-pump-retrofit/reset-vector-db"));
  });
});

test.describe("members", () => {
  test("are listed with their roles, added and removed; managers and admins have access anyway", async ({
    page,
    gateway,
  }) => {
    await as(page, gateway, "olu");
    await go(page, gateway, "members");
    const row = (name: string) => page.getByRole("row").filter({ hasText: name });
    await expect(row("jo-brandt").getByText("Member", { exact: true })).toBeVisible();
    await expect(row("olu").getByText("Sees all workspaces")).toBeVisible();
    await expect(row("mira_kowalska").getByText("Admin")).toBeVisible();
    await expect(row("sam").getByText("Suspended")).toBeVisible();
    await expect(page.getByRole("button", { name: "Menu for olu", exact: true })).toHaveCount(0);
    await page.getByRole("button", { name: "Menu for jo-brandt" }).click();
    await page.getByRole("menuitem", { name: "Remove from workspace" }).click();
    await dialog(page).getByRole("button", { name: "Remove from workspace" }).click();
    await expect(page.getByText("jo-brandt is no longer a member.")).toBeVisible();
    await expect(row("jo-brandt")).toHaveCount(0);
    await page.getByRole("button", { name: "Add or remove members" }).click();
    await dialog(page)
      .getByRole("checkbox", { name: /jo-brandt/ })
      .check();
    await dialog(page).getByRole("button", { name: "Save members" }).click();
    await expect(row("jo-brandt")).toBeVisible();
    await expect
      .poll(() => gateway.admin.sent.map(({ path, body }) => [path, body]))
      .toEqual([
        ["/admin/workspaces/1/update-users", { userIds: [4] }],
        ["/admin/workspaces/1/update-users", { userIds: [4, 3] }],
      ]);
  });
  test("are hidden in single-user mode", async ({ page, gateway }) => {
    await go(page, gateway, "members");
    await expect(page.getByText("This instance has no user accounts")).toBeVisible();
    await expect(page.getByRole("link", { name: "Set up user accounts" })).toBeVisible();
  });
});
