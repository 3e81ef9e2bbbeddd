import { signedIn } from "./account-screens.ts";
import { home, stored } from "./accounts-page.ts";
import { ask, expect, test, threadPath } from "./fixtures.ts";

test.describe("guards", () => {
  test("redirect home from sign-in if none is needed, and recheck with nt=1", async ({
    page,
    gateway,
  }) => {
    await page.goto("/login");
    await page.waitForURL(home);
    await expect(page.getByText("What would you like to know?")).toBeVisible();
    const before = gateway.accounts.counts["/setup-complete"] ?? 0;
    await page.goto("/login");
    await page.waitForURL(home);
    await expect(page.getByText("What would you like to know?")).toBeVisible();
    await expect.poll(() => gateway.accounts.counts["/setup-complete"]).toBe(before); // within five minutes
    gateway.accounts.add("mira", "admin");
    await page.goto("/login?nt=1");
    await expect(page.getByLabel("Username")).toBeVisible();
  });
  test("clear user, token and time when the token is invalid", async ({ page, gateway }) => {
    gateway.accounts.add("mira", "admin");
    await page.addInitScript(() => {
      if (!sessionStorage.getItem("once")) {
        sessionStorage.setItem("once", "1");
        localStorage.setItem("anythingllm_user", '{"id":1,"username":"mira","role":"admin"}');
        localStorage.setItem("anythingllm_authToken", "stale");
        localStorage.setItem("anythingllm_authTimestamp", "1");
      }
    });
    await page.goto("/");
    await page.waitForURL("**/login**");
    await expect.poll(() => stored(page)).toEqual([null, null, null]);
  });
  for (const [role, allowed] of [
    ["default", []],
    ["manager", ["/settings/security"]],
    ["admin", ["/settings/security", "/settings/llm-preference"]],
  ] as const) {
    test(`let a ${role} open only the pages that the role may see`, async ({ page, gateway }) => {
      gateway.accounts.add("jo", role);
      await signedIn(page, gateway, "jo");
      for (const path of ["/settings/security", "/settings/llm-preference"]) {
        await page.goto(`${path}`);
        await page.waitForURL((allowed as readonly string[]).includes(path) ? `**${path}` : home);
      }
      await page.goto("/");
      await expect(page.getByText("What would you like to know?")).toBeVisible();
      const manager = role !== "default";
      await expect(page.getByRole("link", { name: "Settings", exact: true })).toHaveCount(
        manager ? 1 : 0,
      );
      await expect(page.getByTitle("New workspace", { exact: true })).toHaveCount(manager ? 1 : 0);
      // Anyone who may ask a question may attach a file to it.
      await expect.poll(() => page.locator("input[type=file]").count()).toBeGreaterThan(0);
      await page.keyboard.press("Control+k");
      await page.getByPlaceholder("Search workspaces").fill("workspace");
      await expect(page.getByRole("option", { name: "New workspace", exact: true })).toHaveCount(
        manager ? 1 : 0,
      );
    });
  }
  test("say why a page stays closed, and whom to ask", async ({ page, gateway }) => {
    gateway.accounts.add("jo", "default");
    await signedIn(page, gateway, "jo");
    for (const [path, reason] of [
      [
        "/settings/users",
        "Only managers and admins can open that page. Ask an admin if you need it.",
      ],
      [
        "/settings/security",
        "Only managers and admins can open that page. Ask an admin if you need it.",
      ],
      ["/settings/api-keys", "Only admins can open that page. Ask one if you need it."],
      ["/settings", "Only managers and admins can open that page. Ask an admin if you need it."],
      ["/onboarding", "Only admins can open that page. Ask one if you need it."],
      [
        "/workspace/heat-pump-retrofit/settings/members",
        "Only managers, admins and whoever created that workspace can open its settings. Ask one of them.",
      ],
    ] as const) {
      await page.goto(path);
      await page.waitForURL(home);
      await expect(page.getByText(reason)).toBeVisible();
    }
    // A workspace that the member isn't in looks like a missing one.
    await page.goto("/workspace/somebody-elses/settings/members");
    await expect(page.getByRole("heading", { name: "Page not found." })).toBeVisible();
    await page.getByRole("link", { name: "Go home" }).click();
    await page.waitForURL(home);
    await page.goto("/workspace/tenant-handbook");
    await expect(
      page.getByText("This workspace has no documents yet. Ask a manager or an admin to add some."),
    ).toBeVisible();
  });
  test("let members do what admins allow them, and manage what they have created", async ({
    page,
    gateway,
  }) => {
    gateway.accounts.add("jo", "default");
    gateway.memberRights = {
      rights: ["createWorkspaces"],
      choosesModels: false,
      ownWorkspaces: [2],
    };
    await signedIn(page, gateway, "jo");
    await page.goto("/");
    await expect(page.getByTitle("New workspace", { exact: true })).toBeVisible();
    await expect(page.getByRole("link", { name: "Workspace settings" })).toHaveCount(0);
    await page.goto("/workspace/tenant-handbook");
    await page.getByRole("link", { name: "Workspace settings" }).click();
    await expect(
      page.getByRole("navigation", { name: "Workspace settings" }).getByRole("link"),
    ).toHaveText(["General", "Chat settings", "Agents"]);
    await page.getByRole("button", { name: "Members" }).click();
    await expect(page.getByRole("dialog")).toHaveText(
      "Only managers and admins can open this. Ask one of them to change it for you.",
    );
    await page.goto("/workspace/tenant-handbook/settings/vector-database");
    await expect(page.getByText(/^Only managers and admins can open that page/)).toBeVisible();
    await page.goto("/workspace/tenant-handbook/documents");
    await expect(page.getByRole("button", { name: "Upload" })).toBeVisible();
    await expect(page.getByRole("region", { name: "My documents" })).toHaveCount(0);
    await page.goto("/workspace/heat-pump-retrofit/documents");
    await expect(page.getByText("It is locked with a password.")).toBeVisible();
    const closed = page.getByTitle(/^Only managers and admins can add documents/);
    await expect(closed).toHaveText("Upload");
    gateway.memberRights.rights = ["uploadDocuments"];
    gateway.change({ type: "settings.changed", keys: ["members_upload_documents"] });
    await expect(closed).toHaveCount(0);
    await expect(page.getByRole("button", { name: "Upload" })).toBeVisible();
  });
  test("let admins decide what members may do", async ({ page, gateway }) => {
    gateway.accounts.add("mira", "admin");
    await signedIn(page, gateway, "mira");
    await page.goto("/settings/security");
    const create = page.getByRole("switch", { name: "Create workspaces" });
    await expect(create).not.toBeChecked();
    await create.click();
    await expect(page.getByText("Members can now create workspaces.")).toBeVisible();
    await expect.poll(() => gateway.settings.MembersCreateWorkspaces).toBe(true);
    await page.getByRole("button", { name: "Undo" }).click();
    await expect.poll(() => gateway.settings.MembersCreateWorkspaces).toBe(false);
  });
  test("make no request that a default user may not make, in chat and documents", async ({
    page,
    gateway,
  }) => {
    gateway.accounts.add("jo", "default");
    await signedIn(page, gateway, "jo");
    const refused: string[] = [];
    page.on("response", (response) => {
      if (response.status() === 401) refused.push(response.url());
    });
    await page.goto("/workspace/heat-pump-retrofit/documents");
    await expect(page.getByText("It is locked with a password.")).toBeVisible();
    await expect
      .poll(
        async () =>
          (await page.getByRole("button", { name: "Retry" }).count()) +
          (await page.getByLabel("Web page address").count()),
      )
      .toBe(0);
    await page.getByRole("button", { name: /^Menu for Retrofit survey/ }).click();
    await expect(page.getByRole("menuitem").first()).toBeVisible();
    await expect(page.getByRole("menuitem")).toHaveText(["Open"]);
    await page.goto(threadPath);
    await ask(page, "What flow temperature?");
    await expect(page.getByText("412 tokens")).toBeVisible();
    expect(refused).toEqual([]);
  });
  test("recheck when the role changes during a visit", async ({ page, gateway }) => {
    const { user } = gateway.accounts.add("jo", "admin");
    await signedIn(page, gateway, "jo");
    await page.goto("/settings/llm-preference");
    await expect(page.getByText("Quotes, not generated text.")).toBeVisible();
    user.role = "default";
    gateway.change({ type: "access.changed" });
    await page.waitForURL(home);
    await expect(
      page.getByText("Only admins can open that page. Ask one if you need it."),
    ).toBeVisible();
    await expect(page.getByText("What would you like to know?")).toBeVisible();
    await expect(page.getByTitle("New workspace", { exact: true })).toHaveCount(0);
    await expect.poll(async () => (await stored(page))[1]).toBe("token-jo");
    user.suspended = 1;
    gateway.change({ type: "access.changed" });
    await page.waitForURL("**/login**");
    await expect.poll(() => stored(page)).toEqual([null, null, null]);
  });
  test("recheck changes that happened before the page connected", async ({ page, gateway }) => {
    const { user } = gateway.accounts.add("jo", "default");
    await signedIn(page, gateway, "jo");
    let notify = (): void => undefined;
    gateway.changesHeld = new Promise((resolve) => {
      notify = resolve;
    });
    await page.goto(threadPath);
    await expect(page.getByText("What would you like to know?")).toBeVisible();
    user.role = "manager";
    gateway.change({ type: "access.changed" });
    await expect(page.getByTitle("New workspace", { exact: true })).toHaveCount(0);
    notify();
    await expect(page.getByTitle("New workspace", { exact: true })).toBeVisible();
  });
  test("recheck changes that happened while no page was open", async ({ page, gateway }) => {
    const { user } = gateway.accounts.add("jo", "default");
    await signedIn(page, gateway, "jo");
    await page.goto(threadPath);
    await expect(page.getByText("What would you like to know?")).toBeVisible();
    await expect.poll(() => gateway.watchers).toBe(1);
    user.role = "manager"; // no change that the page's stream will begin with
    await page.reload();
    await expect(page.getByTitle("New workspace", { exact: true })).toBeVisible();
  });
  test("do not treat the refusal of one call as the end of the session", async ({
    page,
    gateway,
  }) => {
    const { user } = gateway.accounts.add("jo", "manager");
    await signedIn(page, gateway, "jo");
    gateway.changesHeld = new Promise(() => undefined);
    await page.goto(threadPath);
    await expect(page.getByText("What would you like to know?")).toBeVisible();
    user.role = "default"; // not noticed yet: no event was sent
    await page.getByRole("button", { name: "New workspace" }).click();
    await page.getByRole("textbox", { name: "Name" }).fill("Mine");
    await page.keyboard.press("Enter");
    await expect(page.getByTitle("New workspace", { exact: true })).toHaveCount(0);
    await expect.poll(async () => (await stored(page))[1]).toBe("token-jo");
  });
  test("let a member in as soon as there is a workspace", async ({ page, gateway }) => {
    const workspaces = gateway.workspaces;
    gateway.workspaces = [];
    gateway.accounts.add("jo", "default");
    await signedIn(page, gateway, "jo");
    await page.goto("/");
    await expect(page.getByText("You aren't in a workspace yet")).toBeVisible();
    await expect.poll(() => gateway.watchers).toBe(1);
    gateway.workspaces = workspaces;
    gateway.change({ type: "workspace-members.changed" });
    await page.waitForURL(home);
  });
  test("show a rendering error with the text of the specification", async ({ context }) => {
    const other = await context.newPage(); // unchecked console: the error is intended
    await other.route("**/api/workspaces", (route) =>
      route.fulfill({ json: { workspaces: "none" } }),
    );
    await other.goto("/workspace/heat-pump-retrofit");
    await expect(other.getByRole("heading", { name: "Something went wrong" })).toBeVisible();
    await expect(other.getByText("Nothing you wrote or uploaded is lost.")).toBeVisible();
  });
});
