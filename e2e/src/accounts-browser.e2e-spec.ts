import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { poll, slowPages, startInstance, type Instance } from "@carrel/testing";
import { chromium, type Browser, type BrowserContext, type Page } from "playwright-core";

/**
 * RFC 6238 with SHA-1, six digits and thirty seconds, by hand: what an authenticator app shows.
 * `step` 1 is the next code.
 */
function oneTimeCode(secret: string, step = 0): string {
  const bits = [...secret.replace(/\s/g, "")]
    .map((letter) =>
      "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(letter).toString(2).padStart(5, "0"),
    )
    .join("");
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + step));
  const digest = createHmac("sha1", key).update(counter).digest();
  return String((digest.readUInt32BE((digest[19] ?? 0) & 15) & 0x7fffffff) % 1_000_000).padStart(
    6,
    "0",
  );
}

/**
 * Two people on a real instance: the admin who switches it to accounts, and the one who is invited.
 */
describe("accounts in the browser", () => {
  let instance: Instance;
  let browser: Browser;
  const contexts: BrowserContext[] = [];
  let admin: Page;
  let member: Page;
  let codes: string[] = [];
  let secret = "";
  const person = async (): Promise<Page> => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    context.setDefaultTimeout(60_000);
    slowPages(context);
    contexts.push(context);
    return context.newPage();
  };
  const token = (page: Page): Promise<string> =>
    page.evaluate(() => localStorage.getItem("anythingllm_authToken") ?? "");
  const api = async (
    page: Page,
    method: string,
    path: string,
    body?: unknown,
  ): Promise<Record<string, unknown>> => {
    const response = await fetch(`${instance.url}/api${path}`, {
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

  beforeAll(async () => {
    [instance, browser] = await Promise.all([
      startInstance(),
      chromium.launch({
        executablePath: process.env.CARREL_CHROMIUM ?? "/usr/bin/chromium",
        args: ["--no-sandbox"],
      }),
    ]);
    [admin, member] = [await person(), await person()];
  });
  afterAll(async () => {
    await browser.close();
    await instance.stop();
  });

  it("asks for an account once there are any, shows the recovery codes of the first sign-in and keeps the session after", async () => {
    await admin.goto(instance.url);
    await admin.getByLabel("What is it about?").fill("Harbour house");
    await admin.getByRole("button", { name: "Create workspace" }).click();
    await admin.waitForURL("**/workspace/harbour-house");
    expect(
      await api(admin, "POST", "/system/enable-multi-user", {
        username: "mira_k",
        password: "harbour-lights",
      }),
    ).toEqual({ success: true, error: null });
    await admin.goto(`${instance.url}/login?nt=1`);
    await signIn(admin, "mira_k", "harbour-dark");
    await admin.getByText("Error: [002] Invalid login credentials.").waitFor();
    await signIn(admin, "mira_k", "harbour-lights");
    codes = await saveCodes(admin);
    expect(codes).toHaveLength(4);
    await admin.waitForURL("**/workspace/harbour-house"); // what had no owner is the admin's
  });

  it("lets somebody in by invitation, with nothing to see before a workspace is given", async () => {
    const { invite } = (await api(admin, "POST", "/admin/invite/new", { workspaceIds: [] })) as {
      invite: { code: string };
    };
    await member.goto(`${instance.url}/accept-invite/${invite.code}`);
    await signIn(member, "jo", "evening-tide");
    await saveCodes(member);
    await member.getByText("You are not in a workspace yet").waitFor();
    const { workspaces } = (await api(admin, "GET", "/admin/workspaces")) as {
      workspaces: { id: number }[];
    };
    const { users } = (await api(admin, "GET", "/admin/users")) as {
      users: { id: number; username: string }[];
    };
    const jo = users.find((user) => user.username === "jo")!;
    await api(admin, "POST", `/admin/workspaces/${workspaces[0]!.id}/update-users`, {
      userIds: [jo.id],
    });
    await member.waitForURL("**/workspace/harbour-house");
    await poll(() => member.getByRole("link", { name: "Settings", exact: true }).count()).toBe(0);
    await member.goto(`${instance.url}/settings/users`);
    await member.waitForURL("**/workspace/harbour-house");
    await api(admin, "POST", `/admin/user/${jo.id}`, { role: "manager" });
    await member.getByRole("link", { name: "Settings", exact: true }).waitFor();
    const used = await person();
    await used.goto(`${instance.url}/accept-invite/${invite.code}`);
    await used.getByText("This invitation cannot be used").waitFor();
  });

  it("sets up one-time codes, asks for one at the next sign-in, and takes a picture", async () => {
    await menu(admin, "Account");
    await admin
      .getByRole("dialog", { name: "Account" })
      .locator("input[type=file]")
      .setInputFiles({
        name: "me.png",
        mimeType: "image/png",
        buffer: await admin.screenshot({ clip: { x: 0, y: 0, width: 64, height: 64 } }),
      });
    await admin.getByText("Profile picture uploaded.").waitFor();
    await admin.waitForFunction(
      () => document.querySelectorAll('.avatar img[src^="blob:"]').length === 2,
    );
    await admin.getByRole("tab", { name: "Security" }).click();
    await admin.getByText("This browser").waitFor();
    await admin.getByRole("button", { name: "Set up" }).click();
    await admin.getByLabel("Your password").fill("harbour-lights");
    await admin.keyboard.press("Enter");
    secret = (await admin.locator(".secret").textContent()) ?? "";
    await admin.getByRole("textbox", { name: "Code" }).fill(oneTimeCode(secret));
    await admin.keyboard.press("Enter");
    await admin.getByText("One-time codes are on.").waitFor();
    await admin.getByRole("button", { name: "Close" }).click();
    await menu(admin, "Sign out");
    await admin.waitForURL(`${instance.url}/login`);
    await signIn(admin, "mira_k", "harbour-lights");
    // the one before was used
    await admin.getByRole("textbox", { name: "Code" }).fill(oneTimeCode(secret, 1));
    await admin.keyboard.press("Enter");
    await admin.waitForURL("**/workspace/harbour-house");
  });

  it("sets a new password with recovery codes, which ends every session", async () => {
    const other = await person();
    await other.goto(instance.url);
    await other.getByRole("button", { name: "Forgot password? Reset" }).click();
    await other.getByLabel("Username").fill("mira_k");
    await other.getByLabel("Recovery code 1").fill(codes[0]!.toUpperCase());
    await other.getByLabel("Recovery code 2").fill(codes[2]!);
    await other.getByRole("button", { name: "Reset password" }).click();
    await other.getByLabel("New password", { exact: true }).fill("harbour-lanterns");
    await other.getByLabel("Confirm new password").fill("harbour-lanterns");
    await other.getByRole("button", { name: "Set password" }).click();
    await other.getByText("Password reset successful").waitFor();
    await admin.waitForURL("**/login**");
    await poll(() => token(admin)).toBe("");
  });
});
