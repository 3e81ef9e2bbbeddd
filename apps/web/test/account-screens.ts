import { settled } from "@carrel/testing";
import type { Page } from "@playwright/test";
import { recoveryCodes } from "./account-data.ts";
import type { FakeGateway } from "./fake-gateway.ts";

type Draw = (page: Page, gateway: FakeGateway, phone: boolean) => Promise<void>;

/** Stores a session in the browser before the page opens. */
export async function signedIn(page: Page, gateway: FakeGateway, username: string): Promise<void> {
  const stored = gateway.accounts.signedIn(username);
  await page.addInitScript((entries) => {
    if (sessionStorage.getItem("signed-in")) return; // only once, so that a sign-out lasts
    sessionStorage.setItem("signed-in", "1");
    for (const [key, value] of Object.entries(entries)) localStorage.setItem(key, value);
  }, stored);
}
export async function openAccount(page: Page, gateway: FakeGateway, phone: boolean): Promise<void> {
  await page.goto(`${gateway.url}/workspace/heat-pump-retrofit`);
  await page.getByText("What would you like to know?").waitFor();
  if (phone) await page.getByRole("button", { name: "Open sidebar" }).click();
  await page.getByRole("button", { name: /^User menu/ }).click();
  await page.getByRole("menuitem", { name: "Account" }).click();
  await page.getByRole("dialog", { name: "Account" }).waitFor();
  await settled(page);
}
const login: Draw = async (page, gateway) => {
  gateway.accounts.add("mira_kowalska", "admin");
  await page.goto(gateway.url);
  await page.getByLabel("Username").fill("mira_kowalska");
  await page.getByLabel("Password", { exact: true }).fill("wrong-one");
};
const account =
  (tab: string, then?: (page: Page) => Promise<void>): Draw =>
  async (page, gateway, phone) => {
    gateway.accounts.supportEmail = "help@harbour.example";
    gateway.accounts.add("mira_kowalska", "admin", {
      user: { bio: "Building services, blocks of the 1970s." },
    });
    await signedIn(page, gateway, "mira_kowalska");
    await openAccount(page, gateway, phone);
    await page.getByRole("tab", { name: tab }).click();
    await then?.(page);
    await settled(page);
  };

export const accountScreens: Record<string, Draw> = {
  "login-multi": async (page, gateway, phone) => {
    gateway.accounts.setup = { OpenIDName: "Harbour ID" };
    await login(page, gateway, phone);
    await page.keyboard.press("Enter");
    await page.getByText("Wrong username or password").waitFor();
  },
  "login-code": async (page, gateway, phone) => {
    await login(page, gateway, phone);
    gateway.accounts.find("mira_kowalska")!.code = "123456";
    await page.getByLabel("Password", { exact: true }).fill("longenough");
    await page.keyboard.press("Enter");
    await page.getByLabel("Code").waitFor();
  },
  "login-codes": async (page, gateway, phone) => {
    await login(page, gateway, phone);
    gateway.accounts.find("mira_kowalska")!.user.seen_recovery_codes = false;
    await page.getByLabel("Password", { exact: true }).fill("longenough");
    await page.keyboard.press("Enter");
    await page.getByText("Save your recovery codes").waitFor();
    await settled(page);
  },
  "login-recover": async (page, gateway, phone) => {
    await login(page, gateway, phone);
    await page.getByRole("button", { name: "Forgot your password?" }).click();
    await page.getByLabel("Recovery code 1").fill("not-one");
    await page.getByRole("button", { name: "Reset password" }).click();
    await page.getByText("These recovery codes aren't valid.").waitFor();
    await settled(page);
  },
  "login-reset": async (page, gateway, phone) => {
    await login(page, gateway, phone);
    gateway.accounts.find("mira_kowalska")!.recoveryCodes = [...recoveryCodes];
    await page.getByRole("button", { name: "Forgot your password?" }).click();
    await page.getByLabel("Recovery code 1").fill(recoveryCodes[0]!);
    await page.getByLabel("Recovery code 2").fill(recoveryCodes[1]!);
    await page.getByRole("button", { name: "Reset password" }).click();
    await page.getByLabel("New password", { exact: true }).fill("short");
    await page.getByRole("button", { name: "Set password" }).click();
    await page.getByText("The password must have at least 8").waitFor();
  },
  "login-sso-only": async (page, gateway) => {
    gateway.accounts.add("mira", "admin");
    gateway.accounts.setup = { OpenIDName: "Harbour ID", SimpleSSONoLogin: true };
    await page.goto(gateway.url);
    await page.getByText("Continue with").waitFor();
  },
  "sso-failed": async (page, gateway) => {
    gateway.accounts.add("mira", "admin");
    await page.goto(`${gateway.url}/sso/simple?token=old`);
    await page.getByText("Contact an admin.").waitFor();
  },
  invite: async (page, gateway) => {
    gateway.accounts.add("mira", "admin");
    gateway.accounts.invites = { abc: "pending" };
    await page.goto(`${gateway.url}/accept-invite/abc`);
    await page.getByLabel("Username").fill("Jo Doe");
    await page.getByRole("button", { name: "Create account" }).click();
    await page.getByText("Usernames can only").waitFor();
  },
  "invite-invalid": async (page, gateway) => {
    gateway.accounts.add("mira", "admin");
    await page.goto(`${gateway.url}/accept-invite/nope`);
    await page.getByText("This invite doesn't exist anymore.").waitFor();
  },
  "account-profile": account("Profile"),
  "account-password": account("Password"),
  "account-preferences": account("Preferences"),
  "account-security": account("Security"),
  "account-links": async (page, gateway, phone) => {
    const day = 86_400_000;
    const at = (days: number): string => new Date(Date.now() + days * day).toISOString();
    gateway.shares.add(null, "Default thread", {
      createdAt: at(-40),
      expiresAt: at(-10),
      isExpired: true,
    });
    gateway.shares.add("night", "Night tariff operation", { createdAt: at(-2), expiresAt: at(5) });
    gateway.shares.add("flow", "Flow temperature, blocks", {
      audience: "anyone",
      createdAt: at(-1),
    });
    await account("Shared links")(page, gateway, phone);
  },
  "account-usage": account("Usage", async (page) => {
    await page.getByRole("table").waitFor();
  }),
  "account-factor": account("Security", async (page) => {
    await page.getByRole("button", { name: "Set up" }).click();
    await page.getByLabel("Your password").fill("longenough");
    await page.keyboard.press("Enter");
    await page.getByRole("img", { name: /QR code/ }).waitFor();
  }),
  "user-menu": async (page, gateway, phone) => {
    gateway.accounts.supportEmail = "help@harbour.example";
    gateway.accounts.add("mira_kowalska", "admin");
    await signedIn(page, gateway, "mira_kowalska");
    await page.goto(`${gateway.url}/workspace/heat-pump-retrofit`);
    await page.getByText("What would you like to know?").waitFor();
    if (phone) await page.getByRole("button", { name: "Open sidebar" }).click();
    await page.getByRole("button", { name: /^User menu/ }).click();
    await page.getByRole("menuitem", { name: "Support" }).waitFor();
    await settled(page);
  },
  "user-menu-single": async (page, gateway, phone) => {
    await page.goto(`${gateway.url}/workspace/heat-pump-retrofit`);
    await page.getByText("What would you like to know?").waitFor();
    if (phone) await page.getByRole("button", { name: "Open sidebar" }).click();
    await page.getByRole("button", { name: /^User menu/ }).click();
    await page.getByRole("menuitem").first().waitFor();
    await settled(page);
  },
  "member-home": async (page, gateway) => {
    gateway.workspaces = [];
    gateway.accounts.add("jo", "default");
    await signedIn(page, gateway, "jo");
    await page.goto(gateway.url);
    await page.getByText("You aren't in a workspace yet").waitFor();
  },
  "member-chat": async (page, gateway) => {
    gateway.accounts.add("jo", "default");
    await signedIn(page, gateway, "jo");
    await page.goto(`${gateway.url}/workspace/heat-pump-retrofit`);
    await page.getByText("What would you like to know?").waitFor();
  },
  "member-documents": async (page, gateway) => {
    gateway.accounts.add("jo", "default");
    await signedIn(page, gateway, "jo");
    await page.goto(`${gateway.url}/workspace/heat-pump-retrofit/documents`);
    await page.getByText("Retrofit survey 2024.pdf").waitFor();
  },
};
