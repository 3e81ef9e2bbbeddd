import { readFileSync } from "node:fs";
import { slowPages } from "@carrel/testing";
import type { Browser, Page } from "@playwright/test";
import { oneTimeCode } from "./one-time-code.ts";
import { expect, test } from "./product.ts";

// Two people on their own instance: the admin who switches it to multi-user mode, and the person
// invited. Each keeps the session of the previous test.
test.describe.configure({ mode: "serial" });
test.use({ environment: { CARREL_TRASH_DAYS: "0" } });
let admin: Page;
let member: Page;
let codes: string[] = [];
const person = async (browser: Browser, baseURL: string | undefined): Promise<Page> => {
  const context = await browser.newContext({ baseURL, viewport: { width: 1280, height: 800 } });
  slowPages(context);
  return context.newPage();
};
const token = (page: Page): Promise<string> =>
  page.evaluate(() => localStorage.getItem("anythingllm_authToken") ?? "");
const call = async (
  page: Page,
  method: string,
  path: string,
  body?: unknown,
): Promise<Record<string, unknown>> => {
  const response = await fetch(new URL(`/api${path}`, page.url()), {
    method,
    headers: { Authorization: `Bearer ${await token(page)}`, "Content-Type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return (await response.json()) as Record<string, unknown>;
};
const signIn = async (page: Page, username: string, password: string): Promise<void> => {
  await page.getByLabel("Username").fill(username);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.keyboard.press("Enter");
};
const saveCodes = async (page: Page): Promise<string[]> => {
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Download recovery_codes.txt" }).click(),
  ]);
  await page.getByRole("button", { name: "Close", exact: true }).last().click();
  return readFileSync(await file.path(), "utf8")
    .trim()
    .split("\n");
};
const menu = async (page: Page, entry: string): Promise<void> => {
  await page.getByRole("button", { name: /^User menu/ }).click();
  await page.getByRole("menuitem", { name: entry }).click();
};

test.beforeAll(async ({ browser, baseURL }) => {
  admin = await person(browser, baseURL);
  member = await person(browser, baseURL);
});
test.afterAll(async () => {
  await admin.context().close();
  await member.context().close();
});

test("asks for an account in multi-user mode, shows the recovery codes of the first sign-in and stores the session after it", async () => {
  await admin.goto("/");
  await admin.waitForURL("**/onboarding");
  await call(admin, "POST", "/workspace/new", { name: "Harbour house" });
  await admin.goto("/");
  await admin.waitForURL("**/workspace/harbour-house");
  expect(
    await call(admin, "POST", "/system/enable-multi-user", {
      username: "mira_k",
      password: "harbour-lights",
    }),
  ).toEqual({ success: true, error: null });
  await admin.goto("/login?nt=1");
  await signIn(admin, "mira_k", "harbour-dark");
  await expect(admin.getByText("Wrong username or password")).toBeVisible();
  await signIn(admin, "mira_k", "harbour-lights");
  codes = await saveCodes(admin);
  expect(codes).toHaveLength(4);
  await admin.waitForURL("**/workspace/harbour-house"); // the admin owns all existing data
});

test("lets a user join by invitation, who sees nothing until they are added to a workspace", async ({
  browser,
  baseURL,
}) => {
  const { invite } = (await call(admin, "POST", "/admin/invite/new", { workspaceIds: [] })) as {
    invite: { code: string };
  };
  await member.goto(`/accept-invite/${invite.code}`);
  await signIn(member, "jo", "evening-tide");
  await saveCodes(member);
  await expect(member.getByText("You aren't in a workspace yet")).toBeVisible();
  const { workspaces } = (await call(admin, "GET", "/admin/workspaces")) as {
    workspaces: { id: number }[];
  };
  const { users } = (await call(admin, "GET", "/admin/users")) as {
    users: { id: number; username: string }[];
  };
  const jo = users.find((user) => user.username === "jo")!;
  await call(admin, "POST", `/admin/workspaces/${workspaces[0]!.id}/update-users`, {
    userIds: [jo.id],
  });
  await member.waitForURL("**/workspace/harbour-house");
  await expect(member.getByRole("link", { name: "Settings", exact: true })).toHaveCount(0);
  await member.goto("/settings/users");
  await member.waitForURL("**/workspace/harbour-house");
  await call(admin, "POST", `/admin/user/${jo.id}`, { role: "manager" });
  await expect(member.getByRole("link", { name: "Settings", exact: true })).toBeVisible();
  const used = await person(browser, baseURL);
  await used.goto(`/accept-invite/${invite.code}`);
  await expect(used.getByRole("heading", { name: "This invite isn't valid" })).toBeVisible();
});

test("sets up one-time codes, asks for one at the next sign-in, and uploads a picture", async () => {
  await menu(admin, "Account");
  await admin
    .getByRole("dialog", { name: "Account" })
    .locator("input[type=file]")
    .setInputFiles({
      name: "me.png",
      mimeType: "image/png",
      buffer: await admin.screenshot({ clip: { x: 0, y: 0, width: 64, height: 64 } }),
    });
  await expect(admin.getByText("Profile picture uploaded.")).toBeVisible();
  await expect(admin.locator('img[src^="blob:"]')).toHaveCount(2);
  await admin.getByRole("tab", { name: "Security" }).click();
  await expect(admin.getByText("This browser")).toBeVisible();
  await admin.getByRole("button", { name: "Set up" }).click();
  await admin.getByLabel("Your password").fill("harbour-lights");
  await admin.keyboard.press("Enter");
  const secret = (await admin.getByRole("code").textContent()) ?? "";
  await admin.getByRole("textbox", { name: "Code" }).fill(oneTimeCode(secret));
  await admin.keyboard.press("Enter");
  await expect(admin.getByText("Two-factor authentication is on.", { exact: true })).toBeVisible();
  await admin.getByRole("button", { name: "Close" }).click();
  await menu(admin, "Sign out");
  await admin.waitForURL("/login");
  await signIn(admin, "mira_k", "harbour-lights");
  // The current one was used.
  await admin.getByRole("textbox", { name: "Code" }).fill(oneTimeCode(secret, Date.now() + 30_000));
  await admin.keyboard.press("Enter");
  await admin.waitForURL("**/workspace/harbour-house");
});

test("sets a new password with recovery codes, which ends every session", async ({
  browser,
  baseURL,
}) => {
  const other = await person(browser, baseURL);
  await other.goto("/");
  await other.getByRole("button", { name: "Forgot your password?" }).click();
  await other.getByLabel("Username").fill("mira_k");
  await other.getByLabel("Recovery code 1").fill(codes[0]!.toUpperCase());
  await other.getByLabel("Recovery code 2").fill(codes[2]!);
  await other.getByRole("button", { name: "Reset password" }).click();
  await other.getByLabel("New password", { exact: true }).fill("harbour-lanterns");
  await other.getByLabel("Confirm new password").fill("harbour-lanterns");
  await other.getByRole("button", { name: "Set password" }).click();
  await expect(other.getByText("Password reset.")).toBeVisible();
  await admin.waitForURL("**/login**");
  await expect.poll(() => token(admin)).toBe("");
});
