import { settled } from "@carrel/testing";
import type { Page } from "@playwright/test";
import type { FakeGateway } from "./fake-gateway.ts";

type Draw = (page: Page, gateway: FakeGateway, phone: boolean) => Promise<void>;
const slug = "heat-pump-retrofit";

export function fillMemories({ memories, settings }: FakeGateway): void {
  memories.enabled = true;
  settings.LLMProvider = "openai";
  memories.add(
    "I plan heating for old houses and know the standards; no need to explain them.",
    slug,
    { lastUsedAt: new Date(Date.now() - 3 * 3_600_000).toISOString() },
  );
  memories.add("Works on the three blocks at the harbour until spring.", slug);
  memories.add("Figures in SI units, please, with the page they come from.", null, {
    lastUsedAt: new Date(Date.now() - 60_000).toISOString(),
  });
}
/** Opens the workspace's memories from the thread's menu. */
export async function openMemories(page: Page, gateway: FakeGateway): Promise<void> {
  await page.goto(`${gateway.url}/workspace/${slug}/t/flow`);
  await page.getByLabel("Message", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Thread menu" }).click();
  await page.getByRole("menuitem", { name: "Memories" }).click();
  await page
    .getByRole("dialog", { name: "Memories" })
    .getByRole("heading", { name: "Everywhere" })
    .waitFor();
}
const opened =
  (then?: (page: Page) => Promise<void>): Draw =>
  async (page, gateway) => {
    fillMemories(gateway);
    await openMemories(page, gateway);
    await then?.(page);
    await settled(page);
  };

/** Screenshots of memories and personalization. */
export const memoriesScreens: Record<string, Draw> = {
  memories: opened(),
  "memories-edit": opened(async (page) => {
    await page.getByRole("button", { name: /^Edit “Works on/ }).click();
    await page.getByRole("button", { name: "Add memory everywhere" }).scrollIntoViewIfNeeded();
  }),
  "memories-delete": opened(async (page) => {
    await page.getByRole("button", { name: /^Delete “Works on/ }).click();
    await page.getByText("Delete this memory?").waitFor();
  }),
  "memories-empty": async (page, gateway) => {
    gateway.memories.enabled = true;
    await openMemories(page, gateway);
    await settled(page);
  },
  "memories-rtl": opened(async (page) => {
    await page.evaluate(() => {
      document.documentElement.dir = "rtl";
    });
  }),
  personalization: async (page, gateway) => {
    gateway.memories.enabled = true;
    await page.goto(`${gateway.url}/settings/personalization`);
    await page.getByRole("switch").first().waitFor();
    await settled(page);
  },
  "personalization-off": async (page, gateway) => {
    await page.goto(`${gateway.url}/settings/personalization`);
    await page.getByRole("switch").first().waitFor();
    await settled(page);
  },
};
