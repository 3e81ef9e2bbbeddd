import type { Page } from "@playwright/test";
import { signedIn } from "./account-screens.ts";
import { admin, dialog, go, menu, row } from "./admin-page.ts";
import { expect, test } from "./fixtures.ts";

const items = async (page: Page, name: string): Promise<string[]> => {
  await menu(page, name);
  const texts = await page.getByRole("menuitem").allTextContents();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("menu")).toHaveCount(0);
  return texts;
};

test.describe("users", () => {
  test("are listed, searched and sorted", async ({ page, gateway }) => {
    await go(page, gateway, admin, "/settings/users");
    await expect(page.getByText("4 users")).toBeVisible();
    const names = async (): Promise<(string | null)[]> =>
      Promise.all(
        (await page.getByRole("cell").locator("b").all()).map((name) => name.textContent()),
      );
    await expect.poll(names).toEqual(["jo-brandt", "mira_kowalska", "olu", "sam"]);
    await page.getByRole("button", { name: "Role" }).click();
    await expect.poll(async () => (await names())[0]).toBe("mira_kowalska");
    await page.getByRole("button", { name: "Added" }).click();
    await page.getByRole("button", { name: "Added" }).click();
    await expect.poll(names).toEqual(["sam", "jo-brandt", "olu", "mira_kowalska"]);
    await expect(page.getByRole("columnheader", { name: "Added" })).toHaveAttribute(
      "aria-sort",
      "descending",
    );
    await page.getByLabel("Search users").fill("harbour");
    await expect(page.getByText("2 users")).toBeVisible();
    await expect.poll(names).toEqual(["sam", "mira_kowalska"]);
    await page.getByLabel("Search users").fill("nobody at all");
    await expect(page.getByText("No matches for “nobody at all”.")).toBeVisible();
  });
  test("are validated with the texts of the specification when added, and can get a generated password", async ({
    page,
    gateway,
  }) => {
    await go(page, gateway, admin, "/settings/users");
    await page.getByRole("button", { name: "Add user" }).click();
    await dialog(page).getByLabel("Username").fill("Lena B");
    await dialog(page).getByLabel("Password", { exact: true }).fill("short");
    await dialog(page).getByLabel("Messages in 24 hours").fill("0");
    await dialog(page).getByRole("button", { name: "Add user" }).click();
    for (const words of [
      "Usernames can only contain lowercase letters, numbers, underscores and hyphens.",
      "The password must have at least 8 characters.",
      "Enter a whole number of 1 or more, or leave it empty.",
    ])
      await expect(dialog(page).getByText(words)).toBeVisible();
    await expect.poll(() => gateway.admin.sent).toEqual([]);
    await dialog(page).getByLabel("Username").fill("olu");
    await dialog(page).getByRole("button", { name: "Generate" }).click();
    await expect(dialog(page).getByLabel("Password", { exact: true })).toHaveValue(
      /^[a-zA-Z2-9]{20}$/,
    );
    const password = await dialog(page).getByLabel("Password", { exact: true }).inputValue();
    await dialog(page).getByLabel("Messages in 24 hours").fill("25");
    await dialog(page).getByLabel("Role").selectOption("manager");
    await dialog(page).getByRole("button", { name: "Add user" }).click();
    await expect(dialog(page).getByText("A user with this username already exists.")).toBeVisible();
    await dialog(page).getByLabel("Username").fill("lena_b");
    await dialog(page).getByRole("button", { name: "Add user" }).click();
    await expect(page.getByText("lena_b was added.")).toBeVisible();
    await expect
      .poll(() => gateway.admin.sent.at(-1))
      .toEqual({
        path: "/admin/users/new",
        body: { username: "lena_b", password, role: "manager", dailyMessageLimit: 25 },
      });
    await expect(row(page, "lena_b").getByText("Manager")).toBeVisible();
  });
  test("are updated by their changed fields only; the dialog says what a new password revokes", async ({
    page,
    gateway,
  }) => {
    await go(page, gateway, admin, "/settings/users");
    await menu(page, "jo-brandt", "Edit");
    await expect(dialog(page).getByRole("button", { name: "Save changes" })).toBeDisabled();
    await expect(
      dialog(page).getByText(
        "Setting a new one ends all of jo-brandt's sessions and deletes their keys.",
      ),
    ).toBeVisible();
    await dialog(page).getByLabel("Messages in 24 hours").fill("");
    await dialog(page).getByLabel("Bio").fill("");
    await dialog(page).getByRole("button", { name: "Save changes" }).click();
    await expect(page.getByText("jo-brandt was saved.")).toBeVisible();
    await expect
      .poll(() => gateway.admin.sent)
      .toEqual([{ path: "/admin/user/3", body: { dailyMessageLimit: null, bio: "" } }]);
  });
  test("are suspended, reinstated, have one-time codes removed, and are deleted after a confirmation", async ({
    page,
    gateway,
  }) => {
    await go(page, gateway, admin, "/settings/users");
    await menu(page, "jo-brandt", "Suspend");
    await expect(
      dialog(page).getByText("This ends all of jo-brandt's sessions and deletes their keys."),
    ).toBeVisible();
    await dialog(page).getByRole("button", { name: "Suspend" }).click();
    await expect(row(page, "jo-brandt").getByText("Suspended")).toBeVisible();
    await menu(page, "jo-brandt", "Lift suspension");
    await expect(row(page, "jo-brandt").getByText("Suspended")).toHaveCount(0);
    await menu(page, "jo-brandt", "Turn off two-factor");
    await dialog(page).getByRole("button", { name: "Turn off two-factor" }).click();
    await expect(page.getByText("Two-factor authentication for jo-brandt is off.")).toBeVisible();
    await menu(page, "jo-brandt", "Delete user");
    await expect(
      dialog(page).getByText(
        "This deletes their threads in every workspace, ends their sessions and deletes their keys.",
      ),
    ).toBeVisible();
    await dialog(page).getByRole("button", { name: "Delete user" }).click();
    await expect(row(page, "jo-brandt")).toHaveCount(0);
    await expect
      .poll(() => gateway.admin.sent.map(({ path, body }) => [path, body]))
      .toEqual([
        ["/admin/user/3", { suspended: 1 }],
        ["/admin/user/3", { suspended: 0 }],
        ["/admin/user/3/second-factor", {}],
        ["/admin/user/3", {}],
      ]);
  });
  test("cannot suspend, delete or demote themselves; the server's refusal is shown", async ({
    page,
    gateway,
  }) => {
    await go(page, gateway, admin, "/settings/users");
    await expect(page.getByText("jo-brandt")).toBeVisible();
    await expect.poll(() => items(page, admin)).toEqual(["Edit"]);
    await menu(page, admin, "Edit");
    await expect(dialog(page).getByLabel("Role")).toBeDisabled();
    await expect(dialog(page).getByLabel("New password")).toHaveCount(0);
    await page.keyboard.press("Escape");
    gateway.accounts.add("second_admin", "admin");
    gateway.accounts.find(admin)!.user.suspended = 0;
    // Once connected, the page would read its own account again, which becomes another one below.
    gateway.changesHeld = new Promise(() => undefined);
    await page.reload();
    gateway.accounts.accounts.find((account) => account.user.username === admin)!.user.role =
      "admin";
    await menu(page, "second_admin", "Edit");
    gateway.accounts.find(admin)!.user.suspended = 1; // so the other one is the last admin
    gateway.accounts.sessions["token-mira_kowalska"] = "second_admin";
    await dialog(page).getByLabel("Role").selectOption("default");
    await dialog(page).getByRole("button", { name: "Save changes" }).click();
    await expect(
      dialog(page).getByText(
        "Couldn't save the user: This would leave the instance without an admin.",
      ),
    ).toBeVisible();
  });
  test("managers see no admin role and cannot change admins", async ({ page, gateway }) => {
    await go(page, gateway, "olu", "/settings/users");
    await expect(page.getByText("jo-brandt")).toBeVisible();
    await expect(page.getByRole("button", { name: `Menu for ${admin}`, exact: true })).toHaveCount(
      0,
    );
    await expect.poll(() => items(page, "olu")).toEqual(["Edit"]);
    await page.getByRole("button", { name: "Add user" }).click();
    await expect(dialog(page).getByLabel("Role").locator("option")).toHaveText([
      "Member",
      "Manager",
    ]);
  });
  test("renders only the visible rows of a thousand users", async ({ page, gateway }) => {
    gateway.admin.fill();
    for (let index = 0; index < 1000; index += 1)
      gateway.accounts.add(`person_${index}`, "default");
    await signedIn(page, gateway, admin);
    await page.goto("/settings/users");
    await expect(page.getByText("1004 users")).toBeVisible();
    await expect.poll(() => page.getByRole("row").count()).toBeLessThan(60);
    await page.getByLabel("Search users").fill("person_999");
    await expect(page.getByText("1 user", { exact: true })).toBeVisible();
  });
});

test.describe("invites", () => {
  test("have no hint about their links where there are none", async ({ page, gateway }) => {
    await page.route("**/api/admin/invites", (route) => route.fulfill({ json: { invites: [] } }));
    await go(page, gateway, admin, "/settings/invites");
    await expect(page.getByText("No invites yet")).toBeVisible();
    await expect(page.getByText("Copy the link of a pending invite")).toBeHidden();
  });

  test("are created for workspaces, listed masked, copied while pending, and revoked", async ({
    page,
    context,
    gateway,
  }) => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await go(page, gateway, admin, "/settings/invites");
    await expect(
      page.getByText("The list shows the last four characters of each link's code."),
    ).toBeVisible();
    await expect(row(page, "Accepted").getByText("by jo-brandt")).toBeVisible();
    await page.getByRole("button", { name: "Create invite" }).click();
    await dialog(page).getByLabel("Search workspaces").fill("tenant");
    await page.keyboard.press("Enter"); // searches, and does not submit the form
    await dialog(page).getByRole("checkbox", { name: "Tenant handbook" }).check();
    await dialog(page).getByRole("button", { name: "Create link" }).click();
    const link = await dialog(page).getByLabel("Link").inputValue();
    expect(link).toBe(`${gateway.url}/accept-invite/K7P2WXM-101AQZR-T4N8VBC-E6D3HJY`);
    await expect
      .poll(() => gateway.admin.sent)
      .toEqual([
        {
          path: "/admin/invites/batch",
          body: {
            invites: [{ label: null, role: "default", maxUses: 1 }],
            workspaceIds: [2],
            expiresAt: expect.any(String),
          },
        },
      ]);
    await page.keyboard.press("Escape"); // an accidental click doesn't lose the link
    await expect(dialog(page).getByLabel("Link")).toBeVisible();
    await dialog(page).getByRole("button", { name: "Done" }).click();
    await expect(page.getByText(link)).toHaveCount(0);
    await expect(row(page, "***3HJY").getByText("Tenant handbook")).toBeVisible();
    await menu(page, "*******-*******-*******-***3HJY", "Copy link");
    await expect(page.getByText("Link copied")).toBeVisible();
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(link);
    await menu(page, "*******-*******-*******-***3HJY", "Disable invite");
    await dialog(page).getByRole("button", { name: "Disable invite" }).click();
    await expect(row(page, "***3HJY").getByText("Disabled")).toBeVisible();
    await expect(
      page.getByRole("button", { name: "Menu for *******-*******-*******-***3HJY" }),
    ).toHaveCount(0);
  });
});

test.describe("workspaces", () => {
  test("are created, given members and deleted", async ({ page, gateway }) => {
    await go(page, gateway, "olu", "/settings/workspaces");
    await expect(row(page, "Supplier contracts").getByText("0 members")).toBeVisible();
    await page.getByRole("button", { name: "Create workspace" }).click();
    await dialog(page).getByLabel("Name").fill("Board minutes");
    await page.keyboard.press("Enter");
    await expect(row(page, "Board minutes")).toBeVisible();
    await menu(page, "Heat-pump retrofit", "Members");
    await expect(dialog(page).getByText("Admin: sees all workspaces")).toBeVisible();
    await expect(dialog(page).getByRole("checkbox", { name: /olu/ })).toBeDisabled();
    await dialog(page).getByRole("checkbox", { name: /sam/ }).uncheck();
    await expect(dialog(page).getByText("1 member selected")).toBeVisible();
    await dialog(page).getByRole("button", { name: "Save members" }).click();
    await expect(row(page, "Heat-pump retrofit").getByText("1 member")).toBeVisible();
    await expect.poll(() => gateway.admin.members[1]).toEqual([3]);
    await menu(page, "Tenant handbook", "Delete workspace");
    await expect(
      dialog(page).getByText(
        "This deletes the workspace, its threads and its embeddings for everyone. Source files stay",
      ),
    ).toBeVisible();
    await dialog(page).getByRole("button", { name: "Delete workspace" }).click();
    await expect(row(page, "Tenant handbook")).toHaveCount(0);
    gateway.workspaces[0]!.name = "Protected";
    await page.reload();
    await menu(page, "Protected", "Delete workspace");
    await dialog(page).getByRole("button", { name: "Delete workspace" }).click();
    await expect(
      page.getByText("Couldn't delete the workspace: An admin has disabled deleting workspaces."),
    ).toBeVisible();
  });
});
