import { settled } from "@carrel/testing";
import type { Page } from "@playwright/test";
import { signedIn } from "./account-screens.ts";
import { connectionWire, runWire, sourceItem } from "./fake-connectors.ts";
import type { FakeGateway } from "./fake-gateway.ts";

type Draw = (page: Page, gateway: FakeGateway) => Promise<void>;
const sources = "/workspace/heat-pump-retrofit/documents?sources=";
const open = async (page: Page, gateway: FakeGateway, rest: string): Promise<void> => {
  await page.goto(`${gateway.url}${sources}${rest}`);
  await page.getByRole("heading", { level: 2 }).or(page.getByRole("table")).first().waitFor();
};
const denied = { code: "source.denied", params: { host: "docs.example.com", status: 403 } };
const robots = { code: "source.robots", params: { host: "docs.example.com" } };

/** Opens one of the sources that `fill` adds, watched. */
const source =
  (n: number, then?: (page: Page) => Promise<void>): Draw =>
  async (page, gateway) => {
    const { connections, watches } = gateway;
    connections.fill();
    watches.enabled = true;
    connections.items = [
      ...[1, 2, 3, 4, 5].map((item) => sourceItem(item, "fetched")),
      sourceItem(6, "failed", denied),
      sourceItem(7, "skipped", robots),
      sourceItem(8, "pending"),
    ];
    const { id } = connections.connections[n]!;
    watches.add({ connectionId: id, title: "handbook", hasHook: n === 1 });
    if (n === 1) {
      const [first, github, ...rest] = connections.connections;
      connections.connections = [
        first!,
        { ...github!, mirrorPermissions: true, accessCheckedAt: new Date().toISOString() },
        ...rest,
      ];
      connections.earlier = [
        runWire(id, { id: "aaaaaaaa-0000-4000-8000-000000000003", fetched: 4, unchanged: 190 }),
        runWire(id, { id: "aaaaaaaa-0000-4000-8000-000000000004", state: "failed", fault: denied }),
      ];
    }
    await open(page, gateway, id);
    await page.getByText("Live sync", { exact: true }).waitFor();
    await then?.(page);
    await settled(page);
  };

const form =
  (id: string, address: string, value: string): Draw =>
  async (page, gateway) => {
    const { connections } = gateway;
    if (id !== "website") {
      connections.preview.permissions = true;
      connections.preview.access = {
        checked: 200,
        everyone: 12,
        restricted: 188,
        people: 4,
        unmatched: 6,
      };
    }
    await open(page, gateway, `new/${id}`);
    await page.getByLabel(address, { exact: true }).fill(value);
    if (id === "confluence") await page.getByLabel("API token").fill("s3cret");
    await page.getByRole("button", { name: "Preview" }).click();
    await page.getByText("214 items would be imported").waitFor();
    await settled(page);
  };

const versions =
  (tab: string): Draw =>
  async (page, gateway) => {
    gateway.accounts.add("jo", "default");
    await signedIn(page, gateway, "jo");
    gateway.pace = 1;
    gateway.answer = "It costs 18.4 ct per kilowatt-hour [4].";
    gateway.versions.citeEarlier(gateway.sources[3]!);
    await page.goto(`${gateway.url}/workspace/heat-pump-retrofit/t/flow`);
    await page.getByLabel("Message", { exact: true }).fill("What does it cost at night?");
    await page.keyboard.press("Enter");
    await page.getByText("412 tokens").waitFor();
    await page
      .locator(".md")
      .getByRole("button", { name: /^Source 4/ })
      .click();
    await page.getByRole("tab", { name: tab }).click();
    if (tab === "Versions") await page.getByText("2 lines added").waitFor();
    await settled(page);
  };

/** Screenshots of sources and live sync. */
export const sourcesScreens: Record<string, Draw> = {
  "sources-empty": (page, gateway) => open(page, gateway, "all"),
  "sources-list": async (page, gateway) => {
    gateway.connections.fill();
    gateway.connections.connections.push(
      connectionWire(5, { connector: "gitlab", name: "tools/deploy", run: null, documents: 0 }),
    );
    await open(page, gateway, "all");
  },
  "source-form-website": form("website", "Start page", "https://docs.example.com/guide/"),
  "source-form-github": form("github", "Repository", "https://github.com/harbour/handbook"),
  "source-form-confluence": form("confluence", "Address", "https://harbour.atlassian.net/wiki"),
  "source-form-empty": (page, gateway) => open(page, gateway, "new/github"),
  "source-running": source(0),
  "source-finished": source(1),
  "source-finished-below": source(1, async (page) => {
    await page.getByText("Earlier imports").scrollIntoViewIfNeeded();
  }),
  "source-failed": source(2),
  "source-hook": source(1, async (page) => {
    await page.getByRole("button", { name: "Replace secret" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Replace secret" }).click();
    await page.getByText("Where to paste them").waitFor();
  }),
  "source-sync": source(1, async (page) => {
    await page.getByRole("button", { name: "Sync settings" }).click();
    await page.getByText("Latest syncs").waitFor();
  }),
  "source-remove": source(1, async (page) => {
    await page.getByRole("button", { name: "Menu for harbour/handbook" }).click();
    await page.getByRole("menuitem", { name: "Remove source" }).click();
  }),
  "document-changed": versions("Page"),
  "document-passages": versions("Passages"),
  "document-versions": versions("Versions"),
  "beta-features": async (page, gateway) => {
    gateway.watches.enabled = true;
    await page.goto(`${gateway.url}/settings/beta-features`);
    await page.getByRole("switch", { name: "Live document sync" }).waitFor();
  },
  "sync-queue-empty": async (page, gateway) => {
    gateway.watches.enabled = true;
    await page.goto(`${gateway.url}/settings/beta-features/live-document-sync/manage`);
    await page.getByText("Nothing is watched").waitFor();
  },
  "sync-queue": async (page, gateway) => {
    const { watches } = gateway;
    watches.enabled = true;
    const [first, second, third] = gateway.documents["heat-pump-retrofit"]!;
    watches.addDocument(first!, {
      failures: 2,
      fault: { code: "source.failing", params: { host: "stadtwerke.example", status: 500 } },
    });
    watches.addDocument(second!, { isMissing: true, connector: "confluence" });
    watches.addDocument(third!, { state: "stopped", failures: 5, nextSyncAt: null });
    watches.add({ connectionId: "bbbbbbbb-0000-4000-8000-000000000002", connector: "github" });
    watches.add({ state: "syncing", connector: "website", title: "docs.example.com/guide" });
    await page.goto(`${gateway.url}/settings/beta-features/live-document-sync/manage`);
    await page.getByText("Sync stopped").waitFor();
  },
};
