import { beforeEach, describe, expect, it } from "@jest/globals";
import { AxeBuilder } from "@axe-core/playwright";
import { poll } from "@carrel/testing";
import type { Page } from "playwright-core";
import { signedIn } from "./account-screens.ts";
import type { FakeGateway } from "./fake-gateway.ts";
import { focused, settled, useWebBrowser } from "./web-browser.ts";

const web = useWebBrowser();
let gateway: FakeGateway;
let page: Page;
const take = (): void => {
  ({ gateway, page } = web);
};
beforeEach(take);
const admin = "mira_kowalska";
const go = async (username: string, path: string): Promise<void> => {
  gateway.admin.fill();
  await signedIn(page, gateway, username);
  await page.goto(gateway.url + path);
};
const dialog = () => page.getByRole("dialog");
const row = (name: string) => page.getByRole("row").filter({ hasText: name });
const menu = async (name: string, item?: string): Promise<void> => {
  await page.getByRole("button", { name: `Menu of ${name}`, exact: true }).click();
  await page.getByRole("menuitem").first().waitFor();
  if (item) await page.getByRole("menuitem", { name: item }).click();
};
const items = async (name: string): Promise<string[]> => {
  await menu(name);
  const texts = await page.getByRole("menuitem").allTextContents();
  await page.keyboard.press("Escape");
  await page.getByRole("menu").waitFor({ state: "detached" });
  return texts;
};

describe("users", () => {
  it("are listed, searched and sorted", async () => {
    await go(admin, "/settings/users");
    await page.getByText("4 users").waitFor();
    const names = async (): Promise<(string | null)[]> =>
      Promise.all((await page.locator(".adm-row .name b").all()).map((name) => name.textContent()));
    await poll(names).toEqual(["jo-brandt", "mira_kowalska", "olu", "sam"]);
    await page.getByRole("button", { name: "Role" }).click();
    await poll(async () => (await names())[0]).toBe("mira_kowalska");
    await page.getByRole("button", { name: "Added" }).click();
    await page.getByRole("button", { name: "Added" }).click();
    await poll(names).toEqual(["sam", "jo-brandt", "olu", "mira_kowalska"]);
    await poll(() =>
      page.getByRole("columnheader", { name: "Added" }).getAttribute("aria-sort"),
    ).toBe("descending");
    await page.getByLabel("Search users").fill("harbour");
    await page.getByText("2 users").waitFor();
    await poll(names).toEqual(["sam", "mira_kowalska"]);
    await page.getByLabel("Search users").fill("nobody at all");
    await page.getByText("Nothing matches “nobody at all”.").waitFor();
  });
  it("are added with rules in the words of the specification, and a generated password", async () => {
    await go(admin, "/settings/users");
    await page.getByRole("button", { name: "Add user" }).click();
    await dialog().getByLabel("Username").fill("Lena B");
    await dialog().getByLabel("Password", { exact: true }).fill("short");
    await dialog().getByLabel("Messages in 24 hours").fill("0");
    await dialog().getByRole("button", { name: "Add user" }).click();
    for (const words of [
      "Username must only contain lowercase letters, numbers, underscores, and hyphens with no spaces",
      "Password must be at least 8 characters.",
      "Enter a whole number of 1 or more, or nothing.",
    ])
      await dialog().getByText(words).waitFor();
    expect(gateway.admin.sent).toEqual([]);
    await dialog().getByLabel("Username").fill("olu");
    await dialog().getByRole("button", { name: "Generate" }).click();
    await poll(() => dialog().getByLabel("Password", { exact: true }).inputValue()).toMatch(
      /^[a-zA-Z2-9]{20}$/,
    );
    const password = await dialog().getByLabel("Password", { exact: true }).inputValue();
    await dialog().getByLabel("Messages in 24 hours").fill("25");
    await dialog().getByLabel("Role").selectOption("manager");
    await dialog().getByRole("button", { name: "Add user" }).click();
    await dialog().getByText("A user with that username already exists").waitFor();
    await dialog().getByLabel("Username").fill("lena_b");
    await dialog().getByRole("button", { name: "Add user" }).click();
    await page.getByText("lena_b was added.").waitFor();
    await poll(() => gateway.admin.sent.at(-1)).toEqual({
      path: "/admin/users/new",
      body: { username: "lena_b", password, role: "manager", dailyMessageLimit: 25 },
    });
    await row("lena_b").getByText("Manager").waitFor();
  });
  it("are changed by what was changed and nothing else; a new password says what it ends", async () => {
    await go(admin, "/settings/users");
    await menu("jo-brandt", "Edit");
    await poll(() => dialog().getByRole("button", { name: "Save changes" }).isDisabled()).toBe(
      true,
    );
    await dialog()
      .getByText("A new one ends every session and deletes every key of jo-brandt.")
      .waitFor();
    await dialog().getByLabel("Messages in 24 hours").fill("");
    await dialog().getByLabel("Bio").fill("");
    await dialog().getByRole("button", { name: "Save changes" }).click();
    await page.getByText("jo-brandt was saved.").waitFor();
    await poll(() => gateway.admin.sent).toEqual([
      { path: "/admin/user/3", body: { dailyMessageLimit: null, bio: "" } },
    ]);
  });
  it("are suspended, freed, relieved of one-time codes and deleted after a question that says what goes", async () => {
    await go(admin, "/settings/users");
    await menu("jo-brandt", "Suspend");
    await dialog()
      .getByText("Every session of jo-brandt ends at once and their keys are deleted.")
      .waitFor();
    await dialog().getByRole("button", { name: "Suspend" }).click();
    await row("jo-brandt").getByText("Suspended").waitFor();
    await menu("jo-brandt", "Lift the suspension");
    await row("jo-brandt").getByText("Suspended").waitFor({ state: "detached" });
    await menu("jo-brandt", "Remove one-time codes");
    await dialog().getByRole("button", { name: "Remove one-time codes" }).click();
    await page.getByText("jo-brandt signs in without a one-time code now.").waitFor();
    await menu("jo-brandt", "Delete user");
    await dialog()
      .getByText(
        "This deletes their chats and threads in every workspace, ends their sessions and deletes their keys.",
      )
      .waitFor();
    await dialog().getByRole("button", { name: "Delete user" }).click();
    await row("jo-brandt").waitFor({ state: "detached" });
    await poll(() => gateway.admin.sent.map(({ path, body }) => [path, body])).toEqual([
      ["/admin/user/3", { suspended: 1 }],
      ["/admin/user/3", { suspended: 0 }],
      ["/admin/user/3/second-factor", {}],
      ["/admin/user/3", {}],
    ]);
  });
  it("nobody suspends, deletes or demotes himself; a refusal is shown in the words of the server", async () => {
    await go(admin, "/settings/users");
    await page.getByText("jo-brandt").waitFor();
    await poll(() => items(admin)).toEqual(["Edit"]);
    await menu(admin, "Edit");
    await poll(() => dialog().getByLabel("Role").isDisabled()).toBe(true);
    await poll(() => dialog().getByLabel("New password").count()).toBe(0);
    await page.keyboard.press("Escape");
    gateway.accounts.add("second_admin", "admin");
    gateway.accounts.find(admin)!.user.suspended = 0;
    await page.reload();
    gateway.accounts.accounts.find((account) => account.user.username === admin)!.user.role =
      "admin";
    await menu("second_admin", "Edit");
    gateway.accounts.find(admin)!.user.suspended = 1; // so the other one is the last admin
    gateway.accounts.sessions["token-mira_kowalska"] = "second_admin";
    await dialog().getByLabel("Role").selectOption("default");
    await dialog().getByRole("button", { name: "Save changes" }).click();
    await dialog()
      .getByText(
        "Failed to update user: No system admins will remain if you do this. Update failed.",
      )
      .waitFor();
  });
  it("a manager sees no role of admin and does nothing to admins", async () => {
    await go("olu", "/settings/users");
    await page.getByText("jo-brandt").waitFor();
    await poll(() =>
      page.getByRole("button", { name: `Menu of ${admin}`, exact: true }).count(),
    ).toBe(0);
    await poll(() => items("olu")).toEqual(["Edit"]);
    await page.getByRole("button", { name: "Add user" }).click();
    await poll(() => dialog().getByLabel("Role").locator("option").allTextContents()).toEqual([
      "Default",
      "Manager",
    ]);
  });
  it("draws a thousand of them at once, by rows in sight", async () => {
    gateway.admin.fill();
    for (let index = 0; index < 1000; index += 1)
      gateway.accounts.add(`person_${index}`, "default");
    await signedIn(page, gateway, admin);
    await page.goto(`${gateway.url}/settings/users`);
    await page.getByText("1004 users").waitFor();
    await poll(() => page.locator(".adm-row").count()).toBeLessThan(60);
    await page.getByLabel("Search users").fill("person_999");
    await page.getByText("1 user", { exact: true }).waitFor();
  });
});

describe("invites", () => {
  it("are made for workspaces, shown once, kept masked, and disabled", async () => {
    await go(admin, "/settings/invites");
    await page.getByText("The list shows only the last four characters of its code.").waitFor();
    await row("Accepted").getByText("by jo-brandt").waitFor();
    await page.getByRole("button", { name: "Make invite" }).click();
    await dialog().getByLabel("Search workspaces").fill("tenant");
    await page.keyboard.press("Enter"); // finds, and does not send the form
    await dialog().getByRole("checkbox", { name: "Tenant handbook" }).check();
    await dialog().getByRole("button", { name: "Make link" }).click();
    const link = await dialog().getByLabel("Link").inputValue();
    expect(link).toBe(`${gateway.url}/accept-invite/K7P2WXM-101AQZR-T4N8VBC-E6D3HJY`);
    await poll(() => gateway.admin.sent).toEqual([
      { path: "/admin/invite/new", body: { workspaceIds: [2] } },
    ]);
    await page.keyboard.press("Escape"); // a slip does not lose the link
    await dialog().getByLabel("Link").waitFor();
    await dialog().getByRole("button", { name: "Done" }).click();
    await poll(() => page.getByText(link).count()).toBe(0);
    await row("***3HJY").getByText("Tenant handbook").waitFor();
    await menu("*******-*******-*******-***3HJY", "Disable invite");
    await dialog().getByRole("button", { name: "Disable invite" }).click();
    await row("***3HJY").getByText("Disabled").waitFor();
    await poll(() =>
      page.getByRole("button", { name: "Menu of *******-*******-*******-***3HJY" }).count(),
    ).toBe(0);
  });
});

describe("workspaces", () => {
  it("are made, given members and deleted", async () => {
    await go("olu", "/settings/workspaces");
    await row("Supplier contracts").getByText("0 members").waitFor();
    await page.getByRole("button", { name: "Create workspace" }).click();
    await dialog().getByLabel("Name").fill("Board minutes");
    await page.keyboard.press("Enter");
    await row("Board minutes").waitFor();
    await menu("Heat-pump retrofit", "Members");
    await dialog().getByText("Admin: sees all workspaces").waitFor();
    await poll(() => dialog().getByRole("checkbox", { name: /olu/ }).isDisabled()).toBe(true);
    await dialog().getByRole("checkbox", { name: /sam/ }).uncheck();
    await dialog().getByText("1 member chosen").waitFor();
    await dialog().getByRole("button", { name: "Save members" }).click();
    await row("Heat-pump retrofit").getByText("1 member").waitFor();
    await poll(() => gateway.admin.members[1]).toEqual([3]);
    await menu("Tenant handbook", "Delete workspace");
    await dialog()
      .getByText(
        "The workspace is removed for all users, with its threads and its embeddings. Source files stay",
      )
      .waitFor();
    await dialog().getByRole("button", { name: "Delete workspace" }).click();
    await row("Tenant handbook").waitFor({ state: "detached" });
    gateway.workspaces[0]!.name = "Protected";
    await page.reload();
    await menu("Protected", "Delete workspace");
    await dialog().getByRole("button", { name: "Delete workspace" }).click();
    await page
      .getByText(
        "The workspace could not be deleted: Workspace deletion is blocked by the system administrator.",
      )
      .waitFor();
  });
});

describe("security", () => {
  it("switches to user accounts, signs in as the admin, and keeps the codes in sight", async () => {
    await page.goto(`${gateway.url}/settings/security`);
    await page.getByRole("button", { name: "Set up user accounts" }).click();
    await page.getByText("There is no way back to an instance without accounts.").waitFor();
    await page.getByLabel("Admin username").fill("admin");
    await page.getByLabel("Admin password", { exact: true }).fill("short");
    await page.getByRole("button", { name: "Switch to user accounts" }).click();
    await page.getByText("Username must be at least 6 characters").waitFor();
    await page.getByText("Password must be at least 8 characters.").waitFor();
    await page.getByLabel("Admin username").fill("mira_kowalska");
    await page.getByLabel("Admin password", { exact: true }).fill("longenough");
    await page.getByRole("button", { name: "Switch to user accounts" }).click();
    await dialog().getByText("mira_kowalska becomes the admin").waitFor();
    await dialog().getByRole("button", { name: "Switch to user accounts" }).click();
    await page.getByText("Save your recovery codes").waitFor();
    const saved = page.waitForEvent("download");
    await page.getByRole("button", { name: /Download/ }).click();
    expect((await saved).suggestedFilename()).toBe("recovery_codes.txt");
    await dialog().getByRole("button", { name: "Close" }).click();
    await page.getByText("User accounts are on, and you are signed in as mira_kowalska.").waitFor();
    await poll(() =>
      page.evaluate(() => [
        localStorage.getItem("anythingllm_authToken"),
        JSON.parse(localStorage.getItem("anythingllm_user") ?? "{}").username,
      ]),
    ).toEqual(["token-mira_kowalska", "mira_kowalska"]);
    await page.locator(".side").getByRole("link", { name: "Users" }).click();
    await row("mira_kowalska").getByText("Admin").waitFor();
  });
  it("says so where there are accounts, and leads to them", async () => {
    await go("olu", "/settings/security");
    await page.getByText("This instance has user accounts.").waitFor();
    await page.getByRole("main").getByRole("link", { name: "Invites" }).click();
    await page.waitForURL("**/settings/invites");
  });
  it("takes any printable password, and says why one is refused", async () => {
    await page.goto(`${gateway.url}/settings/security`);
    await page.getByLabel("Password", { exact: true }).fill("        ");
    await page.getByRole("button", { name: "Set password" }).click();
    await page.getByText("Password cannot be blank.").waitFor();
    await page.route(
      "**/api/system/update-password",
      (route) =>
        route.fulfill({
          json: { success: false, error: "Password must contain at least 1 digit." },
        }),
      { times: 1 },
    );
    await page.getByLabel("Password", { exact: true }).fill("grünes Licht #");
    await page.getByRole("button", { name: "Set password" }).click();
    await page
      .getByText("Failed to set password: Password must contain at least 1 digit.")
      .waitFor();
    await page.getByRole("button", { name: "Set password" }).click();
    await page.getByText("This instance asks for a password.").waitFor();
    await poll(() => gateway.password).toBe("grünes Licht #");
    await page.getByRole("button", { name: "Remove password" }).click();
    await dialog().getByRole("button", { name: "Remove password" }).click();
    await page.getByText("Anyone who reaches this address can use it.").waitFor();
  });
});

describe("keys", () => {
  it("of the developer API are made, shown once and deleted, with accounts and without", async () => {
    for (const multi of [false, true]) {
      if (multi) {
        await go(admin, "/settings/api-keys");
        await row("Nightly import").getByText("mira_kowalska").waitFor();
        await page.getByRole("button", { name: "Create key" }).click();
      } else {
        await page.goto(`${gateway.url}/settings/api-keys`);
        await page.getByText("No API keys yet").waitFor();
        await page.getByRole("button", { name: "Create key" }).click();
      }
      await dialog().getByRole("textbox").fill("Backup");
      await page.keyboard.press("Enter");
      await poll(() => dialog().getByLabel("API key").inputValue()).toBe(
        "T5W9QKD-1ZN4RXM-B7V2HCA-P8J6EYG",
      );
      await dialog().getByRole("button", { name: "Done" }).click();
      await row("Backup").getByText("***6EYG").waitFor();
      await poll(() => page.getByText("T5W9QKD-1ZN4RXM").count()).toBe(0);
      await menu("Backup", "Delete key");
      await dialog().getByRole("button", { name: "Delete key" }).click();
      await row("Backup").waitFor({ state: "detached" });
      await poll(() =>
        page.getByRole("link", { name: "API documentation" }).getAttribute("href"),
      ).toBe("/api/docs");
    }
    await poll(() =>
      gateway.requests
        .filter((request) => /api-key/.test(request.path) && request.method !== "GET")
        .map(({ method, path }) => `${method} ${path.replace(/\d+/, "n")}`),
    ).toEqual([
      "POST /system/generate-api-key",
      "DELETE /system/api-key/n",
      "POST /admin/generate-api-key",
      "DELETE /admin/delete-api-key/n",
    ]);
  });
  it("of browser extensions connect the extension that listens, and are shown once", async () => {
    await go("olu", "/settings/browser-extension");
    await page.getByText("These are your keys.").waitFor();
    await poll(() => page.locator(".adm-row").count()).toBe(1);
    await page.evaluate(() =>
      addEventListener("message", ({ data, origin }) => {
        document.body.dataset.told = JSON.stringify({ data, origin });
      }),
    );
    await page.getByRole("button", { name: "Connect a browser" }).click();
    const connection = await dialog().getByLabel("Connection string").inputValue();
    expect(connection).toBe(`${gateway.url}/api|brx-X3M8TNW-5QD2KZR-V9B7CPH-A4E6JGY`);
    await poll(async () =>
      JSON.parse((await page.locator("body").getAttribute("data-told")) ?? ""),
    ).toEqual({
      data: { type: "NEW_BROWSER_EXTENSION_CONNECTION", apiKey: connection },
      origin: gateway.url,
    });
    await dialog().getByRole("button", { name: "Done" }).click();
    await menu("brx-*******-*******-*******-***6JGY", "Delete key");
    await dialog().getByRole("button", { name: "Delete key" }).click();
    await row("***6JGY").waitFor({ state: "detached" });
  });
});

describe("the event log", () => {
  it("shows ten at a time in readable words, unfolds details and is cleared", async () => {
    await go(admin, "/settings/event-logs");
    await page.getByText("1 to 10 of 14").waitFor();
    await page.getByRole("button", { name: "User changed" }).click();
    await page.getByText("Role: default → manager").waitFor();
    await row("Sign-in refused: wrong password").getByText("Not signed in").waitFor();
    // one that this version has no sentence for
    await page.getByRole("button", { name: "Workspace thread created" }).waitFor();
    await page.getByRole("button", { name: "Older" }).click();
    await page.getByText("11 to 14 of 14").waitFor();
    await poll(() => page.getByRole("button", { name: "Older" }).isDisabled()).toBe(true);
    await page.getByRole("button", { name: "Clear the log" }).click();
    await dialog().getByRole("button", { name: "Clear the log" }).click();
    await page.getByRole("button", { name: "Event log cleared" }).waitFor();
  });
});

describe("who sees which settings", () => {
  const links = (): Promise<string[]> =>
    page.getByRole("navigation", { name: "Settings" }).getByRole("link").allTextContents();
  it("an admin all, a manager what managers may, without accounts nothing of them", async () => {
    await page.goto(`${gateway.url}/settings/security`);
    await page.getByText("User accounts").first().waitFor();
    await poll(links).toEqual([
      "Language model",
      "Embedding",
      "Vector database",
      "Text splitting",
      "System prompt",
      "Personalization",
      "Security",
      "Event log",
      "Appearance",
      "API keys",
      "Prompt variables",
      "Browser extension",
    ]);
    await page.goto(`${gateway.url}/settings/users`);
    await page.waitForURL("**/settings/security");
    await go(admin, "/settings/users");
    await page.getByText("jo-brandt").waitFor();
    await poll(links).toEqual([
      "Language model",
      "Embedding",
      "Vector database",
      "Text splitting",
      "Users",
      "Invites",
      "Workspaces",
      "System prompt",
      "Personalization",
      "Security",
      "Event log",
      "Appearance",
      "API keys",
      "Prompt variables",
      "Browser extension",
    ]);
  });
  it("a manager is sent home from the pages of admins", async () => {
    await go("olu", "/settings");
    await page.waitForURL("**/settings/users");
    await page.getByText("jo-brandt").waitFor();
    await poll(links).toEqual([
      "Users",
      "Invites",
      "Workspaces",
      "Security",
      "Appearance",
      "Browser extension",
    ]);
    for (const path of [
      "llm-preference",
      "embedding-preference",
      "vector-database",
      "event-logs",
      "api-keys",
    ]) {
      await page.goto(`${gateway.url}/settings/${path}`);
      await page.waitForURL("**/workspace/heat-pump-retrofit");
    }
  });
  it("anybody else is sent home from all of them", async () => {
    await go("jo-brandt", "/settings");
    for (const path of [
      "users",
      "security",
      "appearance",
      "browser-extension",
      "llm-preference",
      "event-logs",
    ]) {
      await page.waitForURL("**/workspace/heat-pump-retrofit");
      await page.goto(`${gateway.url}/settings/${path}`);
    }
    await page.waitForURL("**/workspace/heat-pump-retrofit");
    await page.getByText("What should we look up?").waitFor();
    expect(
      gateway.requests.filter((request) => /^\/(admin|browser-extension)\//.test(request.path)),
    ).toEqual([]);
  });
});

describe("the brand of the instance", () => {
  const logo = (ink: string): string =>
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 10" width="40" height="10"><rect width="40" height="10" fill="${ink}"/></svg>`;
  it("is drawn from what is kept, follows the theme, and changes when it is changed", async () => {
    gateway.admin.appName = "Harbour Desk";
    gateway.admin.logos = { light: logo("#222"), default: logo("#eee") };
    gateway.admin.footer = [
      { icon: "Globe", url: "https://harbour.example/a" },
      { icon: "Envelope", url: "mailto:help@harbour.example" },
      { icon: "Unknown", url: "javascript:alert(1)" },
    ];
    await page.goto(web.thread());
    await page.getByRole("img", { name: "Harbour Desk" }).waitFor();
    await poll(() => page.title()).toBe("Flow temperature, blocks · Harbour Desk");
    const link = page.getByRole("link", { name: "harbour.example", exact: true });
    await poll(async () => [
      await link.getAttribute("href"),
      await link.getAttribute("rel"),
      await link.getAttribute("target"),
    ]).toEqual(["https://harbour.example/a", "noopener noreferrer", "_blank"]);
    await poll(() =>
      page.getByRole("list", { name: "Links of this instance" }).getByRole("link").count(),
    ).toBe(2);
    // Kept: there at once, although the instance does not answer, and the built-in logo is never
    // drawn.
    let answer = (): void => undefined;
    gateway.admin.brandingHeld = new Promise((resolve) => {
      answer = resolve;
    });
    await page.addInitScript(() => {
      new MutationObserver(() => {
        if (document.querySelector("svg.logo")) document.documentElement.dataset.flashed = "1";
      }).observe(document, { childList: true, subtree: true });
    });
    await page.reload();
    await page.getByRole("img", { name: "Harbour Desk" }).waitFor();
    expect(await page.evaluate(() => document.documentElement.dataset.flashed)).toBeUndefined();
    answer();
    gateway.admin.brandingHeld = null;
    const dark = await page.locator(".own-logo").first().getAttribute("src");
    await page.getByRole("button", { name: /^User menu/ }).click();
    await page.getByRole("menuitem", { name: /Light theme/i }).click();
    await page.waitForFunction(
      (before) => document.querySelector(".own-logo")?.getAttribute("src") !== before,
      dark,
    );
    gateway.admin.logos = {};
    gateway.admin.appName = "Harbour Office";
    gateway.admin.footer = [];
    gateway.change({ type: "branding.changed" });
    await page.waitForFunction(() => document.title.endsWith("Harbour Office"));
    await page.locator("svg.logo").first().waitFor();
    await link.waitFor({ state: "detached" });
    const asked = gateway.requests.filter(
      (request) => request.path === "/system/custom-app-name",
    ).length;
    // after the name, had that been asked for
    const logoAsked = page.waitForResponse("**/api/system/logo**");
    await page.reload();
    await page.getByText("What should we look up?").waitFor();
    await logoAsked;
    expect(
      gateway.requests.filter((request) => request.path === "/system/custom-app-name").length,
    ).toBe(asked); // the name is kept for an hour
  });
  it("waits for nothing: the page is there before name and logo are asked for", async () => {
    gateway.admin.brandingHeld = new Promise(() => undefined);
    await page.goto(web.thread());
    await page.getByText("What should we look up?").waitFor();
    await poll(() => page.locator("svg.logo").count()).toBe(1);
    await poll(() => page.title()).toBe("Flow temperature, blocks · Carrel");
  });
  it("is on the sign-in page", async () => {
    gateway.admin.appName = "Harbour Desk";
    gateway.admin.logos = { light: logo("#222"), default: logo("#eee") };
    gateway.accounts.add(admin, "admin");
    await page.goto(gateway.url);
    await page.getByRole("main").getByText("Harbour Desk").waitFor();
    await page.getByRole("img", { name: "Harbour Desk" }).waitFor();
    await poll(() => page.title()).toBe("Sign in · Harbour Desk");
  });
});

describe("for everyone", () => {
  const pages: [string, string, string, (() => Promise<void>)?][] = [
    ["users", "/settings/users", "jo-brandt"],
    [
      "the form of a user",
      "/settings/users",
      "jo-brandt",
      async () => {
        await page.getByRole("button", { name: "Add user" }).click();
        await dialog().getByRole("button", { name: "Add user" }).click();
        await dialog().getByRole("alert").first().waitFor();
      },
    ],
    ["invites", "/settings/invites", "by jo-brandt"],
    [
      "an invite",
      "/settings/invites",
      "by jo-brandt",
      async () => {
        await page.getByRole("button", { name: "Make invite" }).click();
        await dialog().getByRole("checkbox").first().waitFor();
      },
    ],
    [
      "members",
      "/settings/workspaces",
      "Tenant handbook",
      () => menu("Tenant handbook", "Members"),
    ],
    ["security", "/settings/security", "This instance has user accounts."],
    [
      "API keys",
      "/settings/api-keys",
      "Nightly import",
      async () => {
        await page.getByRole("button", { name: "Create key" }).click();
        await page.keyboard.press("Enter");
        await dialog().getByLabel("API key").waitFor();
      },
    ],
    ["extension keys", "/settings/browser-extension", "***7QKX"],
    [
      "event log",
      "/settings/event-logs",
      "User changed",
      () => page.getByRole("button", { name: "User changed" }).click(),
    ],
  ];
  for (const [size, colorScheme] of [
    ["wide", "dark"],
    ["phone", "light"],
  ] as const) {
    it.each(pages)(
      `has no serious fault of accessibility: %s, ${size}, ${colorScheme}`,
      async (...[, path, text, then]) => {
        // rest: Jest takes a fourth parameter that is not given for its callback
        await web.open({
          colorScheme,
          ...(size === "phone" && {
            viewport: { width: 390, height: 844 },
            hasTouch: true,
            isMobile: true,
          }),
        });
        take();
        await go(admin, path);
        await page.getByRole("main").getByText(text).first().waitFor();
        await then?.();
        await settled(page);
        const { violations } = await new AxeBuilder({ page })
          .withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"])
          .analyze();
        expect(violations.map((each) => [each.id, each.nodes[0]?.html.slice(0, 200)])).toEqual([]);
        if (size === "phone")
          expect(
            await page.evaluate(() => document.documentElement.scrollWidth),
          ).toBeLessThanOrEqual(390);
      },
    );
  }
  it("works by keys alone: add a user without a mouse", async () => {
    await go(admin, "/settings/users");
    await page.getByText("jo-brandt").waitFor();
    await page.getByLabel("Search users").focus();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await focused(dialog().getByLabel("Username"));
    await page.keyboard.type("by_keys");
    await page.keyboard.press("Tab");
    await page.keyboard.type("longenough");
    await page.keyboard.press("Enter");
    await row("by_keys").waitFor();
    const back = async (label: string): Promise<void> => {
      await page.waitForFunction(
        (wanted) =>
          (document.activeElement?.getAttribute("aria-label") ??
            document.activeElement?.textContent) === wanted,
        label,
      );
    };
    await back("Add user");
    // The dialog of a menu's item goes back to the menu's button, the second of two dialogs to what
    // opened the first.
    await page.getByRole("button", { name: "Menu of by_keys" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("menuitem", { name: "Edit" }).waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await dialog().getByText("Edit by_keys").waitFor();
    await page.keyboard.press("Escape");
    await back("Menu of by_keys");
    await page.goto(`${gateway.url}/settings/api-keys`);
    await page.getByRole("button", { name: "Create key" }).focus();
    await page.keyboard.press("Enter");
    await focused(dialog().getByRole("textbox"));
    await page.keyboard.press("Enter");
    await focused(dialog().getByLabel("API key"));
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await focused(dialog().getByRole("button", { name: "Done" }));
    await page.keyboard.press("Enter");
    await dialog().waitFor({ state: "detached" });
    await back("Create key");
  });
});
