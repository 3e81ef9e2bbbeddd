import { settled } from "@carrel/testing";
import type { Page } from "@playwright/test";
import { threadWire } from "./fake-data.ts";
import type { FakeGateway } from "./fake-gateway.ts";

const thread = async (page: Page, gateway: FakeGateway, phone: boolean): Promise<void> => {
  await page.goto(`${gateway.url}/workspace/heat-pump-retrofit/t/flow`);
  await page.getByLabel("Message", { exact: true }).waitFor();
  if (phone) await page.getByRole("button", { name: "Open sidebar" }).click();
  await page.locator("[data-threads]").getByText("Night tariff").waitFor({ state: "attached" });
  await settled(page);
};
const menu = async (page: Page, of: string, item?: string): Promise<void> => {
  await page.getByRole("button", { name: `Menu for ${of}` }).click();
  await page.getByRole("menuitem").first().waitFor();
  if (item) await page.getByRole("menuitem", { name: item }).click();
  await settled(page);
};
const place = { slug: "heat-pump-retrofit", name: "Heat-pump retrofit" };

/** Threads of all dates, a pinned one and two archived ones. */
const fillThreads = (gateway: FakeGateway): void => {
  const now = Date.now();
  const threads = gateway.threads["heat-pump-retrofit"]!;
  for (const [n, days] of [0, 1, 5, 20, 60, 400].entries()) {
    threads[n] ??= threadWire(40 + n, `Conversation about block ${n}`, `c${n}`);
    threads[n].lastUpdatedAt = new Date(now - days * 86_400_000).toISOString();
  }
  threads.push({
    ...threadWire(50, "Radiators of the top floor", "pinned"),
    pinnedAt: new Date(now).toISOString(),
  });
  for (const [n, name] of ["Old offers", "Draft of the letter to tenants"].entries())
    threads.push({
      ...threadWire(60 + n, name, `archived-${n}`),
      archivedAt: new Date(now - 3_600_000).toISOString(),
    });
};

/** Screenshots of the sidebar, its dialogs and the palette. */
export const shellScreens: Record<
  string,
  (page: Page, gateway: FakeGateway, phone: boolean) => Promise<void>
> = {
  "side-marks": async (page, gateway, phone) => {
    await thread(page, gateway, phone);
    if (phone) await menu(page, "Noise", "Select threads");
    else {
      await page.evaluate(() => (document.activeElement as HTMLElement).blur());
      await page.keyboard.down("Control");
      await page.getByRole("link", { name: "Noise" }).click();
    }
    await page.getByRole("link", { name: "Night tariff" }).click();
    await page.mouse.move(700, 500);
    await settled(page);
  },
  "side-dates": async (page, gateway, phone) => {
    fillThreads(gateway);
    await thread(page, gateway, phone);
  },
  "side-archive": async (page, gateway, phone) => {
    fillThreads(gateway);
    await thread(page, gateway, phone);
    await page.getByRole("button", { name: "Archived 2" }).click();
    await page.getByRole("dialog", { name: "Archived" }).waitFor();
    await settled(page);
  },
  "side-menu": async (page, gateway, phone) => {
    gateway.shell.trashDays = 14;
    gateway.workspaces[1]!.pfpFilename = "picture.webp";
    await thread(page, gateway, phone);
    await menu(page, "Heat-pump");
  },
  "side-thread-menu": async (page, gateway, phone) => {
    await thread(page, gateway, phone);
    await menu(page, "Noise");
  },
  "side-many": async (page, gateway, phone) => {
    gateway.threads["heat-pump-retrofit"] = [
      ...gateway.threads["heat-pump-retrofit"]!,
      ...Array.from({ length: 997 }, (_, n) =>
        threadWire(1000 + n, `Conversation about block ${n + 1}`, `c${n + 1}`),
      ),
    ];
    await page.goto(`${gateway.url}/workspace/heat-pump-retrofit/t/c500`);
    if (phone) await page.getByRole("button", { name: "Open sidebar" }).click();
    await page.locator('[data-threads] [aria-current="page"]').waitFor();
    await settled(page);
  },
  "side-many-marks": async (page, gateway, phone) => {
    gateway.threads["heat-pump-retrofit"] = [
      ...gateway.threads["heat-pump-retrofit"]!,
      ...Array.from({ length: 40 }, (_, n) =>
        threadWire(1000 + n, `Conversation about block ${n + 1}`, `c${n + 1}`),
      ),
    ];
    await thread(page, gateway, phone);
    await page.getByRole("button", { name: /Show \d+ more/ }).click();
    await page.locator("[data-thread-rows]").waitFor();
    await menu(page, "Noise", "Select threads");
  },
  "side-delete": async (page, gateway, phone) => {
    await thread(page, gateway, phone);
    await menu(page, "Noise", "Delete thread");
    await page.getByText("All of its messages will be deleted.").waitFor();
    await settled(page);
  },
  "side-trash": async (page, gateway, phone) => {
    gateway.shell.trashDays = 14;
    await thread(page, gateway, phone);
    for (const name of ["Noise", "Night"]) {
      await menu(page, name, "Delete thread");
      await page.getByRole("button", { name: "Delete thread" }).click();
      await page.getByRole("link", { name }).waitFor({ state: "detached" });
    }
    await page.getByRole("button", { name: "Trash" }).click();
    await page.getByText("permanently deleted").first().waitFor();
    await settled(page);
  },
  "palette-found": async (page, gateway) => {
    gateway.shell.found = {
      workspaces: [],
      threads: [
        { slug: "flow", name: "Flow temperature, blocks", workspace: place },
        {
          slug: "x",
          name: "Temperature of the return line",
          workspace: { slug: "supplier-contracts", name: "Supplier contracts" },
        },
      ],
      messages: [
        {
          chatId: 101,
          threadSlug: "night",
          threadName: "Night tariff operation",
          workspace: place,
          excerpt:
            "At a flow temperature of 48 °C, 78 % of the installed radiators cover the room load " +
            "without any change, and the rest need a larger panel or a fan.",
          sentAt: Date.now() - 7_200_000,
        },
        {
          chatId: 102,
          threadSlug: null,
          threadName: "Thread",
          workspace: { slug: "tenant-handbook", name: "Tenant handbook" },
          excerpt: "Which temperature may tenants expect at night?",
          sentAt: Date.now() - 9 * 86_400_000,
        },
      ],
    };
    await thread(page, gateway, false);
    await page.keyboard.press("Control+k");
    await page.getByPlaceholder("Search workspaces").fill("temperature");
    await page.getByText("Messages").waitFor();
    await settled(page);
  },
  "palette-recent": async (page, gateway) => {
    await thread(page, gateway, false);
    await page.goto(`${gateway.url}/workspace/tenant-handbook`);
    await page.getByLabel("Message", { exact: true }).waitFor();
    await settled(page);
    await page.keyboard.press("Control+k");
    await page.getByText("Recent").waitFor();
    await settled(page);
  },
};
