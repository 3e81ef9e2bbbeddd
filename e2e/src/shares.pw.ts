import { slowPages, testDatabase } from "@carrel/testing";
import type { Browser, Page } from "@playwright/test";
import pg from "pg";
import { Api } from "./api.ts";
import { expect, test as base } from "./product.ts";

// A member's share links as others see them, with a database that the tests can reach.
const test = base.extend<object, { databaseUrl: string }>({
  databaseUrl: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright requires a pattern
    async ({}, use) => {
      const database = await testDatabase();
      await use(database.url);
      await database.drop();
    },
    { scope: "worker" },
  ],
  environment: [
    async ({ databaseUrl }, use) => use({ DATABASE_URL: databaseUrl }),
    { scope: "worker" },
  ],
});
test.describe.configure({ mode: "serial" });

const slug = "harbour-house";
const answer = "Glass is collected on the second Tuesday.";
let workspaceId: number;
let admin: Api;
let jo: { id: number; page: Page };
let visitor: Page;

const person = async (browser: Browser, baseURL: string | undefined): Promise<Page> => {
  const context = await browser.newContext({ baseURL });
  slowPages(context);
  return context.newPage();
};
const signIn = (
  url: string,
  username: string,
  password: string,
): Promise<{ token: string; user: { id: number } }> =>
  new Api(url).json("POST", "/request-token", { username, password });
/** Creates or replaces the link to the default thread, for anyone, through its dialog. */
async function share(page: Page, expires: string, replace = false): Promise<string> {
  await page.goto(`/workspace/${slug}`);
  await expect(page.getByRole("article").first()).toContainText(answer);
  await page.getByRole("button", { name: "Thread menu" }).click();
  await page.getByRole("menuitem", { name: "Share" }).click();
  const dialog = page.getByRole("dialog", { name: "Share conversation" });
  if (replace) await dialog.getByRole("button", { name: "Create new link" }).click();
  await dialog.getByRole("radio", { name: "Anyone with the link" }).click();
  await dialog.getByLabel("Expires").selectOption(expires);
  await dialog.getByRole("button", { name: "Create link" }).click();
  const link = await dialog.getByLabel("Link").inputValue();
  await dialog.getByRole("button", { name: "Done" }).click();
  return link;
}
async function openLinks(page: Page): Promise<void> {
  await page.getByRole("button", { name: /^User menu/ }).click();
  await page.getByRole("menuitem", { name: "Account" }).click();
  await page.getByRole("tab", { name: "Shared links" }).click();
}
const opens = async (link: string): Promise<void> => {
  await visitor.goto(link);
  await expect(visitor.getByRole("article").first()).toContainText(answer);
};
const isGone = async (link: string): Promise<void> => {
  await visitor.goto(link);
  await expect(visitor.getByRole("heading", { name: "This link doesn't work" })).toBeVisible();
};

test.beforeAll(async ({ browser, baseURL, product }) => {
  await product.useVendor();
  product.vendor.behave({ reply: answer });
  workspaceId = (await product.api.makeWorkspace("Harbour house")).id;
  await product.api.json("POST", "/system/enable-multi-user", {
    username: "mira_k",
    password: "harbour-lights",
  });
  admin = new Api(product.instance.url);
  admin.token = (await signIn(admin.url, "mira_k", "harbour-lights")).token;
  await admin.json("POST", "/admin/users/new", {
    username: "jo",
    password: "evening-tide",
    role: "default",
  });
  const { token, user } = await signIn(admin.url, "jo", "evening-tide");
  await admin.json("POST", `/admin/workspaces/${workspaceId}/update-users`, { userIds: [user.id] });
  const member = new Api(admin.url);
  member.token = token;
  await member.ask(slug, "When is glass collected?");
  jo = { id: user.id, page: await person(browser, baseURL) };
  await jo.page.addInitScript(
    (stored) => {
      for (const [key, value] of Object.entries(stored)) localStorage.setItem(key, value);
    },
    { anythingllm_authToken: token, anythingllm_user: JSON.stringify(user) },
  );
  visitor = await person(browser, baseURL);
});
test.afterAll(async () => {
  await jo.page.context().close();
  await visitor.context().close();
});

test("opens a member's link without an account until the member revokes it", async () => {
  const link = await share(jo.page, "Never");
  await opens(link);
  await openLinks(jo.page);
  await jo.page.getByRole("button", { name: /^Revoke the link to/ }).click();
  await jo.page
    .getByRole("dialog", { name: "Revoke this link?" })
    .getByRole("button", { name: "Revoke link" })
    .click();
  await expect(jo.page.getByText("No shared links")).toBeVisible();
  await isGone(link);
});

test("closes a link when it expires, and tells its owner", async ({ databaseUrl }) => {
  const link = await share(jo.page, "In 1 day");
  await opens(link);
  const sql = new pg.Client({ connectionString: databaseUrl });
  await sql.connect();
  await sql.query("UPDATE chat.share SET expires_at = now() - interval '1 second'");
  await sql.end();
  await isGone(link);
  await openLinks(jo.page);
  await expect(jo.page.getByRole("list", { name: "Your shared links" })).toContainText("expired");
});

test("ends a member's links when the member is removed from the workspace", async () => {
  const link = await share(jo.page, "Never", true);
  await opens(link);
  await admin.json("POST", `/admin/workspaces/${workspaceId}/update-users`, { userIds: [] });
  const path = new URL(link).pathname;
  await expect.poll(async () => (await admin.call("GET", path)).status).toBe(404);
  await isGone(link);
});
