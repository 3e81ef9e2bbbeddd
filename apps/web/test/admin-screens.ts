import { settled } from "@carrel/testing";
import type { Page } from "@playwright/test";
import { signedIn } from "./account-screens.ts";
import { menu } from "./admin-page.ts";
import type { FakeGateway } from "./fake-gateway.ts";

type Draw = (page: Page, gateway: FakeGateway, phone: boolean) => Promise<void>;
const as =
  (
    username: string,
    path: string,
    then: (page: Page, gateway: FakeGateway, phone: boolean) => Promise<void>,
  ): Draw =>
  async (page, gateway, phone) => {
    gateway.admin.fill();
    await signedIn(page, gateway, username);
    await page.goto(gateway.url + path);
    await then(page, gateway, phone);
    await settled(page);
  };
const admin = "mira_kowalska";
const shown =
  (text: string) =>
  async (page: Page): Promise<void> => {
    await page.getByText(text).first().waitFor();
  };
const logo = (ink: string): string =>
  [
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 320 80" width="320" height="80">',
    '<circle cx="40" cy="40" r="28" fill="#d9822b"/>',
    '<text x="84" y="54" font-family="sans-serif" font-weight="700" font-size="42"',
    ` fill="${ink}">Harbour</text></svg>`,
  ].join("");

export const adminScreens: Record<string, Draw> = {
  inspection: async (page, gateway, phone) => {
    gateway.pace = 1;
    await page.goto(`${gateway.url}/workspace/heat-pump-retrofit/t/flow`);
    await page.getByLabel("Message", { exact: true }).fill("And in the 1990s blocks?");
    await page.keyboard.press("Enter");
    await page.getByText("412 tokens").waitFor();
    if (!phone) await page.getByRole("article", { name: "Answer" }).last().hover();
    await page.getByRole("button", { name: "More actions for this answer" }).last().click();
    await page.getByRole("menuitem", { name: "How this answer was found" }).click();
    await page.getByText("What was searched").waitFor();
    await page.locator("aside ol button[aria-expanded]").first().click();
  },
  "inspection-prompt": async (page, gateway, phone) => {
    await adminScreens.inspection!(page, gateway, phone);
    await page.locator("[data-prompt-parts]").scrollIntoViewIfNeeded();
    await page.locator("aside ol").last().scrollIntoViewIfNeeded();
  },
  "search-trial": async (page, gateway) => {
    await page.goto(`${gateway.url}/workspace/heat-pump-retrofit/settings/vector-database`);
    await page.getByRole("button", { name: "Try a search" }).click();
    await page.getByRole("button", { name: "More options" }).click();
  },
  "index-building": async (page, gateway) => {
    gateway.index.build(0.42);
    await page.goto(`${gateway.url}/settings/embedding-preference`);
    await page.getByText("Building").first().waitFor();
  },
  "index-previous": async (page, gateway) => {
    gateway.index.state.previous = {
      target: {
        engine: "openai",
        model: "text-embedding-3-large",
        dimensions: 3072,
        vectorDatabase: "qdrant",
      },
      since: new Date(Date.now() - 7_200_000).toISOString(),
    };
    await page.goto(`${gateway.url}/settings/vector-database`);
    await page.getByText("Previous index:").waitFor();
  },
  splitting: async (page, gateway) => {
    await page.goto(`${gateway.url}/settings/text-splitter-preference`);
    await page.getByLabel("Passage overlap, in characters").fill("9999");
  },
  users: as(admin, "/settings/users", shown("jo-brandt")),
  "users-manager": as("olu", "/settings/users", shown("jo-brandt")),
  "user-menu-of-row": as(admin, "/settings/users", async (page) => {
    await page.getByRole("button", { name: "Menu for jo-brandt" }).click();
    await page.getByRole("menuitem", { name: "Delete user" }).waitFor();
  }),
  "user-add": as(admin, "/settings/users", async (page) => {
    await page.getByRole("button", { name: "Add user" }).click();
    await page.getByLabel("Username").fill("Lena B");
    await page.getByRole("button", { name: "Generate" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Add user" }).click();
    await page.getByText("Usernames can only").waitFor();
  }),
  "user-edit": as(admin, "/settings/users", async (page) => {
    await page.getByRole("button", { name: "Menu for jo-brandt" }).click();
    await page.getByRole("menuitem", { name: "Edit" }).click();
    await page.getByText("Edit jo-brandt").waitFor();
  }),
  "user-delete": as(admin, "/settings/users", async (page) => {
    await page.getByRole("button", { name: "Menu for jo-brandt" }).click();
    await page.getByRole("menuitem", { name: "Delete user" }).click();
    await page.getByText("Delete jo-brandt?").waitFor();
  }),
  invites: as(admin, "/settings/invites", shown("by jo-brandt")),
  "invites-empty": async (page, gateway, phone) => {
    const draw = as(admin, "/settings/invites", shown("No invites yet"));
    const fill = gateway.admin.fill.bind(gateway.admin);
    gateway.admin.fill = () => {
      fill();
      gateway.admin.invites = [];
    };
    await draw(page, gateway, phone);
  },
  "invite-make": as(admin, "/settings/invites", async (page) => {
    await page.getByRole("button", { name: "Create invite" }).click();
    await page.getByRole("checkbox", { name: "Tenant handbook" }).check();
  }),
  "invite-link": as(admin, "/settings/invites", async (page) => {
    await page.getByRole("button", { name: "Create invite" }).click();
    await page.getByRole("button", { name: "Create link" }).click();
    await page.getByText("Invite link").waitFor();
  }),
  "admin-workspaces": as(admin, "/settings/workspaces", shown("Tenant handbook")),
  members: as(admin, "/settings/workspaces", async (page) => {
    await page
      .getByRole("button", { name: /^Members of Heat-pump/ })
      .first()
      .click();
    await page.getByText("Sees all workspaces", { exact: false }).first().waitFor();
  }),
  "security-single": async (page, gateway) => {
    await page.goto(`${gateway.url}/settings/security`);
    await page.getByRole("button", { name: "Set up user accounts" }).click();
    await page.getByRole("button", { name: "Switch to user accounts" }).click();
    await page.getByText("The username must have at least 6").waitFor();
  },
  "security-multi": as(admin, "/settings/security", shown("This instance has user accounts.")),
  "security-switched": async (page, gateway) => {
    await page.goto(`${gateway.url}/settings/security`);
    await page.getByRole("button", { name: "Set up user accounts" }).click();
    await page.getByLabel("Admin username").fill("mira_kowalska");
    await page.getByLabel("Admin password", { exact: true }).fill("longenough");
    await page.getByRole("button", { name: "Switch to user accounts" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Switch to user accounts" }).click();
    await page.getByText("Save your recovery codes").waitFor();
    await settled(page);
  },
  "api-keys": as(admin, "/settings/api-keys", shown("Nightly import")),
  "api-keys-empty": async (page, gateway) => {
    await page.goto(`${gateway.url}/settings/api-keys`);
    await page.getByText("No API keys yet").waitFor();
  },
  "api-key-made": as(admin, "/settings/api-keys", async (page) => {
    await page.getByRole("button", { name: "Create key" }).click();
    await page.getByRole("dialog").getByRole("textbox").fill("Backup");
    await page.keyboard.press("Enter");
    await page.getByText("New API key").waitFor();
  }),
  "api-key-limits": as(admin, "/settings/api-keys", (page) => menu(page, "Nightly import", "Edit")),
  extension: as(admin, "/settings/browser-extension", shown("***7QKX")),
  "extension-made": as("olu", "/settings/browser-extension", async (page) => {
    await page.getByRole("button", { name: "Connect a browser" }).click();
    await page.getByText("Connect the extension").waitFor();
  }),
  events: as(admin, "/settings/event-logs", async (page) => {
    await page.getByRole("button", { name: "User changed" }).click();
    await page.getByText("default → manager").waitFor();
  }),
  "settings-menu": as("olu", "/settings/users", async (page, _gateway, phone) => {
    await page.getByText("jo-brandt").waitFor();
    if (phone) {
      await page.getByRole("button", { name: "Open sidebar" }).click();
      await settled(page);
    }
  }),
  brand: async (page, gateway, phone) => {
    gateway.admin.branding.appName = "Harbour Desk";
    gateway.admin.branding.logos = { light: logo("#222"), default: logo("#eee") };
    gateway.admin.branding.footer = [
      { icon: "Globe", url: "https://harbour.example" },
      { icon: "Envelope", url: "mailto:help@harbour.example" },
      { icon: "Nothing", url: "https://wiki.harbour.example" },
    ];
    await page.goto(`${gateway.url}/workspace/heat-pump-retrofit`);
    await page.locator("img[data-slot=logo]").first().waitFor({ state: "attached" });
    if (phone) {
      await page.getByRole("button", { name: "Open sidebar" }).click();
      await settled(page);
    }
    await settled(page);
  },
  "brand-login": async (page, gateway) => {
    gateway.admin.branding.appName = "Harbour Desk";
    gateway.admin.branding.logos = { light: logo("#222"), default: logo("#eee") };
    gateway.accounts.add("mira_kowalska", "admin");
    await page.goto(gateway.url);
    await page.locator("img[data-slot=logo]").waitFor();
    await settled(page);
  },
};
