import type { Page } from "@playwright/test";
import { signedIn } from "./account-screens.ts";
import { admin, go, menu, row } from "./admin-page.ts";
import { expect, test } from "./fixtures.ts";

const due = {
  headers: { "carrel-error": '{"code":"access.proof-due"}' },
  json: {
    user: null,
    success: false,
    error: "To confirm it's you, sign in again and retry within 10 minutes.",
  },
};

/** The gateway asks for a proof before it changes users; the password is `longenough`. */
async function requireProof(page: Page, code?: string): Promise<{ tries: unknown[] }> {
  const tries: unknown[] = [];
  let isProven = false;
  await page.route("**/api/admin/user*/**", (route) =>
    isProven ? route.fallback() : route.fulfill(due),
  );
  await page.route("**/api/system/confirm-session", (route) => {
    const typed = route.request().postDataJSON() as { password: string; code: string };
    tries.push(typed);
    const fault =
      typed.password !== "longenough"
        ? "password.wrong"
        : code !== undefined && typed.code !== code
          ? "second-factor.code-wrong"
          : null;
    isProven = fault === null;
    return isProven
      ? route.fulfill({ json: { success: true, error: null } })
      : route.fulfill({
          status: 400,
          headers: { "carrel-error": JSON.stringify({ code: fault }) },
          json: { success: false, error: "Refused." },
        });
  });
  return { tries };
}
const question = (page: Page) => page.getByRole("dialog", { name: "Confirm it's you" });

test("a session that is too old is confirmed with password and code, and the call is repeated", async ({
  page,
  gateway,
}) => {
  gateway.admin.fill();
  // Not only in the browser: the page reads its account again once it is connected.
  gateway.accounts.find(admin)!.user.secondFactor = true;
  await signedIn(page, gateway, admin);
  await page.goto("/settings/users");
  const { tries } = await requireProof(page, "123456");
  await page.getByRole("button", { name: "Add user" }).click();
  const form = page.getByRole("dialog", { name: "Add a user" });
  await form.getByLabel("Username").fill("lena");
  await form.getByLabel("Password", { exact: true }).fill("a long password");
  await form.getByRole("button", { name: "Add user" }).click();

  await expect(question(page).getByLabel("Your password")).toBeFocused();
  await question(page).getByLabel("Your password").fill("a guess");
  await page.keyboard.press("Enter");
  await expect(question(page).getByText("The password is incorrect.")).toBeVisible();
  await question(page).getByLabel("Your password").fill("longenough");
  await question(page).getByLabel("Code from your authenticator app").fill("000000");
  await question(page).getByRole("button", { name: "Confirm" }).click();
  await expect(question(page).getByText("The code is incorrect.")).toBeVisible();
  await question(page).getByLabel("Code from your authenticator app").fill("123456");
  await question(page).getByRole("button", { name: "Confirm" }).click();
  await expect(question(page)).toHaveCount(0);
  await expect(form).toHaveCount(0);
  await expect(row(page, "lena")).toBeVisible();
  expect(tries).toHaveLength(3);
});

test("nothing changes if it isn't confirmed, and the form says why", async ({ page, gateway }) => {
  await go(page, gateway, admin, "/settings/users");
  await requireProof(page);
  await page.getByRole("button", { name: "Add user" }).click();
  const form = page.getByRole("dialog", { name: "Add a user" });
  await form.getByLabel("Username").fill("lena");
  await form.getByLabel("Password", { exact: true }).fill("a long password");
  await form.getByRole("button", { name: "Add user" }).click();
  await question(page).getByRole("button", { name: "Cancel" }).click();
  await expect(question(page)).toHaveCount(0);
  await expect(form.getByText("you didn't confirm it's you")).toBeVisible();
  await expect(form.getByLabel("Username")).toHaveValue("lena");
});

test("a question before deleting waits for the confirmation", async ({ page, gateway }) => {
  await go(page, gateway, admin, "/settings/users");
  await requireProof(page);
  await menu(page, "sam", "Delete user");
  await page.getByRole("dialog").getByRole("button", { name: "Delete user" }).click();
  await question(page).getByLabel("Your password").fill("longenough");
  await question(page).getByRole("button", { name: "Confirm" }).click();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(row(page, "sam")).toHaveCount(0);
});
