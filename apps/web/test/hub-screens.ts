import { settled } from "@carrel/testing";
import type { Page } from "@playwright/test";
import type { FakeGateway } from "./fake-gateway.ts";

type Draw = (page: Page, gateway: FakeGateway, phone: boolean) => Promise<void>;

const at =
  (path: string, then?: (page: Page) => Promise<void>): Draw =>
  async (page, gateway) => {
    gateway.hub.fill();
    gateway.hub.settings.downloads = "verified";
    gateway.hub.secrets = ["block 2: header Authorization"];
    gateway.flows.fill();
    gateway.plugins.fill();
    await page.goto(gateway.url + path);
    await then?.(page);
    await settled(page);
  };
const hub = (path: string, then?: (page: Page) => Promise<void>): Draw =>
  at(`/settings/community-hub/${path}`, then);
const item = (id: string, then?: (page: Page) => Promise<void>): Draw =>
  hub(`import-item?id=allm-community-id:${id}`, then);
const plugins = (rest: string, then?: (page: Page) => Promise<void>): Draw =>
  at(`/settings/agents?view=plugins${rest}`, then);
const press =
  (name: string) =>
  (page: Page): Promise<void> =>
    page.getByRole("button", { name, exact: true }).click();
const shown =
  (text: string) =>
  async (page: Page): Promise<void> => {
    await page.getByText(text).first().waitFor();
  };

/** Screenshots of the community hub and of plugins. */
export const hubScreens: Record<string, Draw> = {
  "hub-off": async (page, gateway) => {
    await page.goto(`${gateway.url}/settings/community-hub/trending`);
    await page.getByText("The community hub is off").waitFor();
    await settled(page);
  },
  "hub-trending": hub("trending", shown("House style")),
  "hub-connection": hub("authentication", shown("Connection key")),
  "hub-prompt": item("system-prompt:rhymes", shown("Answer in rhymes")),
  "hub-command": item("slash-command:sum", shown("Sum it up in one")),
  "hub-flow": item("agent-flow:weather", shown("mail-key")),
  "hub-skill": item("agent-skill:tides", async (page) => {
    await page.getByRole("button", { name: "handler.js" }).click();
  }),
  "hub-skill-done": item("agent-skill:tides", async (page) => {
    await press("Install skill")(page);
    await page.getByText("The skill is switched off.").waitFor();
  }),
  "hub-publish": at("/settings/agents?view=flows", async (page) => {
    await page.getByRole("link", { name: "Weather report" }).click();
    await press("More for this flow")(page);
    await page.getByRole("menuitem", { name: "Publish to hub" }).click();
    await press("Review before publishing")(page);
    await page.getByText("block 2: header Authorization").waitFor();
  }),
  "flow-more": at("/settings/agents?view=flows", async (page) => {
    await page.getByRole("link", { name: "Weather report" }).click();
    await press("More for this flow")(page);
    await page.getByRole("menuitem", { name: "Publish to hub" }).waitFor();
  }),
  plugins: plugins("", shown("Ticket desk")),
  "plugin-new": plugins("&plugin=weather", shown("Review before use")),
  plugin: plugins("&plugin=tickets", async (page) => {
    await press("Call plugin")(page);
    await page.getByText("Result after").waitFor();
  }),
  "plugin-permissions": plugins("&plugin=rates", press("Review permissions")),
};
