import {
  brandingChanged,
  findLogo,
  getCustomAppName,
  getFooterData,
  getPageBranding,
  getSupportEmail,
  getWelcomeMessages,
  isDefaultLogo,
  publicPrincipal,
  setLogo,
  setWelcomeMessages,
  updatePreferences,
  type Scope,
} from "@carrel/contracts";
import { listening, waitFor } from "@carrel/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import {
  person,
  scopeOf,
  startWorkspaceInstance,
  type WorkspaceInstance,
} from "./workspace-instance.ts";

const anyone: Scope = { principal: publicPrincipal, workspace: null };
const [admin, manager, user] = [
  scopeOf(person(1, "admin")),
  scopeOf(person(2, "manager")),
  scopeOf(person(3)),
];
let carrel: WorkspaceInstance;
let request: WorkspaceInstance["request"];
const write = (preferences: Record<string, unknown>, scope: Scope = admin): Promise<unknown> =>
  request(updatePreferences, { preferences }, scope);

beforeAll(async () => {
  carrel = await startWorkspaceInstance();
  request = carrel.request;
});
afterAll(() => carrel.stop());
beforeEach(async () => {
  await carrel.sql.query("DELETE FROM workspace.preference");
  await carrel.sql.query("DELETE FROM workspace.setting");
  carrel.accounts.settings = {
    ...carrel.accounts.settings,
    RequiresAuth: false,
    AuthToken: false,
    MultiUserMode: false,
  };
});

describe("branding", () => {
  it("has the wire's defaults", async () => {
    expect(await request(getCustomAppName, {}, anyone)).toEqual({ customAppName: null });
    expect(await request(getFooterData, {}, user)).toEqual({ footerData: "[]" });
    expect(await request(getSupportEmail, {}, user)).toEqual({ supportEmail: null });
    expect(await request(getWelcomeMessages, {}, user)).toEqual({
      success: true,
      welcomeMessages: [],
    });
    expect(await request(isDefaultLogo, {}, anyone)).toEqual({ isDefaultLogo: true });
    expect(await request(findLogo, {}, anyone)).toEqual({ key: null, light: null });
  });

  it("returns the saved branding and broadcasts changes", async () => {
    let told = 0;
    const stop = carrel.shared.messaging.broadcast.on(`event:${brandingChanged.name}`, () => {
      told += 1;
    });
    await listening(carrel.shared.messaging, brandingChanged);
    await write(
      {
        custom_app_name: "Lab",
        support_email: "help@a.example",
        footer_data: '[{"icon":"Book","url":"mailto:a@b.example"}]',
      },
      manager,
    );
    expect(told).toBeGreaterThan(0);
    expect(await request(getCustomAppName, {}, anyone)).toEqual({ customAppName: "Lab" });
    expect(await request(getSupportEmail, {}, user)).toEqual({ supportEmail: "help@a.example" });
    expect(await request(getFooterData, {}, user)).toEqual({
      footerData: '[{"icon":"Book","url":"mailto:a@b.example"}]',
    });
    await waitFor(() => told >= 2);
    // Changes outside branding aren't broadcast: of the next two, only the second is received.
    told = 0;
    await write({ memory_enabled: true });
    await write({ custom_app_name: "Laboratory" }, manager);
    await waitFor(() => told >= 2);
    expect(told).toBe(2);
    stop();
  });

  it("keeps the welcome messages in order", async () => {
    const messages = [
      { user: "Hello\nthere ", response: null },
      { user: "", response: "" },
      { response: "Hi" },
      { user: "a\u0000b" },
    ];
    expect(await request(setWelcomeMessages, { messages }, manager)).toEqual({
      success: true,
      message: "Welcome messages saved successfully.",
    });
    expect((await request(getWelcomeMessages, {}, user)).welcomeMessages).toEqual([
      { user: "Hello\nthere", response: "" },
      { user: "", response: "Hi" },
      { user: "ab", response: "" },
    ]);
    await request(setWelcomeMessages, { messages: [] }, manager);
    expect((await request(getWelcomeMessages, {}, user)).welcomeMessages).toEqual([]);
  });

  it("has a logo for each theme, and returns the pictures that are no longer in use", async () => {
    const set = async (key: string | null, theme?: "default" | "light"): Promise<string[]> =>
      (await request(setLogo, { key, theme }, manager)).unused;
    const find = () => request(findLogo, {}, anyone);
    expect(await set("pictures/one")).toEqual([]);
    expect(await request(isDefaultLogo, {}, anyone)).toEqual({ isDefaultLogo: false });
    expect(await set("pictures/two")).toEqual(["pictures/one"]);
    expect(await set("pictures/two")).toEqual([]);
    expect(await find()).toEqual({ key: "pictures/two", light: null });
    expect(await set("pictures/light", "light")).toEqual([]);
    expect(await set("pictures/dark", "default")).toEqual(["pictures/two"]);
    expect(await find()).toEqual({ key: "pictures/dark", light: "pictures/light" });
    expect(await set(null, "default")).toEqual(["pictures/dark"]);
    expect(await request(isDefaultLogo, {}, anyone)).toEqual({ isDefaultLogo: false });
    await set("pictures/dark", "default");
    // Existing clients set one for both.
    expect((await set("pictures/three")).toSorted()).toEqual(["pictures/dark", "pictures/light"]);
    expect(await set(null)).toEqual(["pictures/three"]);
    expect(await request(isDefaultLogo, {}, anyone)).toEqual({ isDefaultLogo: true });
  });

  it("gives pages a title and an icon", async () => {
    const page = () => request(getPageBranding, {}, anyone);
    expect(await page()).toEqual({ title: null, name: null, favicon: null });
    const favicon = "https://cdn.example/icon.png";
    await write({ custom_app_name: "Lab", meta_page_favicon: favicon }, manager);
    expect(await page()).toEqual({ title: null, name: "Lab", favicon });
    await write({ meta_page_title: "The lab", meta_page_favicon: "javascript:alert(1)" }, manager);
    expect(await page()).toEqual({ title: "The lab", name: "Lab", favicon: null });
  });
});
