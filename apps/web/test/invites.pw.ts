import { admin, dialog, go, row } from "./admin-page.ts";
import { expect, test } from "./fixtures.ts";

test("an invitation says what the password must be like", async ({ page, gateway }) => {
  gateway.accounts.add("mira", "admin");
  gateway.accounts.invites = { abc: "pending" };
  Object.assign(gateway.passwordRules, { shortest: 12, uppercase: 1, digits: 2, needed: 2 });
  await page.goto("/accept-invite/abc");
  await expect(
    page.getByText(
      "At least 12 characters, and not a common password. It needs 1 uppercase letter, 2 digits.",
    ),
  ).toBeVisible();
  await page.getByLabel("Username").fill("A");
  await page.getByLabel("Password", { exact: true }).focus();
  await expect(page.getByText("A username must have at least 2 characters.")).toBeVisible();
});

test.describe("invites for several people", () => {
  test("are made from a pasted list, as a table to copy", async ({ page, gateway, context }) => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await go(page, gateway, admin, "/settings/invites");
    await page.getByRole("button", { name: "Create invite" }).click();
    await dialog(page).getByRole("radio", { name: "Several people" }).click();
    await dialog(page).getByRole("button", { name: "Create links" }).click();
    await expect(dialog(page).getByText("Enter at least one name or address.")).toBeVisible();
    await dialog(page)
      .getByLabel("Names or email addresses")
      .fill("anna@example.org\nBen Ode <ben@example.org>, manager\nANNA@example.org");
    await expect(dialog(page).getByText("2 people")).toBeVisible();
    await dialog(page).getByRole("button", { name: "Create links" }).click();
    await expect(dialog(page).getByText("2 invite links")).toBeVisible();
    await expect(dialog(page).getByText("You can copy a link again")).toBeVisible();
    await dialog(page).getByRole("button", { name: "Copy table" }).click();
    await expect
      .poll(() => page.evaluate(() => navigator.clipboard.readText()))
      .toBe(
        [
          "For\tRole\tLink",
          `anna@example.org\tMember\t${gateway.url}/accept-invite/K7P2WXM-101AQZR-T4N8VBC-E6D3HJY`,
          `Ben Ode <ben@example.org>\tManager\t${gateway.url}/accept-invite/K7P2WXM-102AQZR-T4N8VBC-E6D3HJY`,
        ].join("\n"),
      );
    await dialog(page).getByRole("button", { name: "Done" }).click();
    await expect(row(page, "Ben Ode").getByText("Manager")).toBeVisible();
  });
  test("can be one link for a team, with limits and never for admins", async ({
    page,
    gateway,
  }) => {
    await go(page, gateway, admin, "/settings/invites");
    await page.getByRole("button", { name: "Create invite" }).click();
    await dialog(page).getByRole("radio", { name: "A team" }).click();
    await expect(dialog(page).getByLabel("Role").getByRole("option")).toHaveText([
      "Member",
      "Manager",
    ]);
    await dialog(page).getByLabel("Name of the team").fill("Workshop");
    await dialog(page).getByLabel("Number of people").fill("0");
    await dialog(page).getByRole("button", { name: "Create link" }).click();
    await expect(dialog(page).getByText("Enter a whole number from 1 to 1,000.")).toBeVisible();
    await dialog(page).getByLabel("Number of people").fill("12");
    await dialog(page).getByLabel("Expiration").selectOption("In 7 days");
    await dialog(page).getByRole("button", { name: "Create link" }).click();
    await expect(dialog(page).getByLabel("Link")).toHaveValue(/\/accept-invite\//);
    await dialog(page).getByRole("button", { name: "Done" }).click();
    await expect(row(page, "Workshop").getByText("0 of 12 joined")).toBeVisible();
    await expect(row(page, "Workshop").getByText(/^until /)).toBeVisible();
  });
});
