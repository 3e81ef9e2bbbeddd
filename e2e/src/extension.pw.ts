import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { accessibilityViolations } from "@carrel/testing";
import { chromium, type BrowserContext, type Page } from "@playwright/test";
import { root } from "../../tools/checkout.ts";
import { ensureChromiumWithExtensions } from "../../tools/chromium.ts";
import { expect, test } from "./product.ts";

const paragraph =
  "The harbour house keeps its lamps burning through the winter, because boats come home after dark and the pier has no rail. ".repeat(
    4,
  );
const article = `<!doctype html><title>Lamps of the harbour</title>
<nav><a href="/">Unrelated navigation</a></nav>
<article><h1>Lamps of the harbour</h1><p>${paragraph}</p><h2>Oil</h2>
<ul><li>Whale oil until 1860</li><li>Paraffin later</li></ul><p id="wick">Wicks are trimmed on <b>Fridays</b>.</p><p>${paragraph}</p></article>`;

/** A page of another origin. */
async function serveArticle(): Promise<{ url: string; stop: () => void }> {
  const server = createServer((_request, response) =>
    response.setHeader("content-type", "text/html").end(article),
  ).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    stop: () => server.close(),
  };
}

/**
 * The built extension with access to the given origins: in a headless browser, nothing can click
 * the permission prompt or the toolbar button that gives access to the tab.
 */
function grantedCopy(folder: string, origins: string[]): string {
  const copy = join(folder, "extension");
  cpSync(join(root, "apps/extension/dist"), copy, { recursive: true });
  const file = join(copy, "manifest.json");
  const manifest = JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>;
  writeFileSync(file, JSON.stringify({ ...manifest, host_permissions: origins }));
  return copy;
}

async function launch(folder: string, origins: string[]): Promise<BrowserContext> {
  const extension = grantedCopy(folder, origins);
  return chromium.launchPersistentContext(join(folder, "profile"), {
    executablePath: await ensureChromiumWithExtensions(),
    // The extension speaks the browser's language, whatever the developer's is.
    env: { ...process.env, LANGUAGE: "en" },
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-background-networking",
      `--disable-extensions-except=${extension}`,
      `--load-extension=${extension}`,
    ],
  });
}

/** Opens the popup as a tab, which takes the given tab for the one behind it. */
async function openPopup(context: BrowserContext, behind: Page): Promise<Page> {
  const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent("serviceworker"));
  const popup = await context.newPage();
  await popup.setViewportSize({ width: 320, height: 400 });
  await popup.goto(new URL("/popup.html", worker.url()).href);
  await behind.bringToFront();
  await popup.reload();
  return popup;
}

async function expectAccessible(popup: Page): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await popup.emulateMedia({ colorScheme });
    expect(await accessibilityViolations(popup)).toEqual([]);
  }
}

interface Saved {
  title: string;
  url: string;
  wordCount: number;
}

test("connects the browser extension, saves a page and a selection, and asks about a page", async ({
  product: { api, instance },
}) => {
  const folder = mkdtempSync(join(tmpdir(), "carrel-extension-"));
  const site = await serveArticle();
  const origins = [instance.url, site.url].map((url) => `${new URL(url).origin}/*`);
  const context = await launch(folder, origins);
  try {
    const { slug } = await api.makeWorkspace("Lamp room");
    const documents = async (): Promise<Saved[]> => {
      const { workspace } = await api.json<{ workspace: { documents: { metadata: string }[] } }>(
        "GET",
        `/workspace/${slug}`,
      );
      return workspace.documents.map(({ metadata }) => JSON.parse(metadata) as Saved);
    };

    // Other clients' extensions may have no access to the instance and rely on CORS.
    const origin = "chrome-extension://abcdefghijklmnopabcdefghijklmnop";
    const preflight = await api.call("OPTIONS", "/browser-extension/embed-content", undefined, {
      origin,
      "access-control-request-method": "POST",
      "access-control-request-headers": "authorization,content-type",
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get("access-control-allow-origin")).toBe(origin);

    // Carrel's own page hands over the connection string; anything else is refused.
    const page = context.pages()[0]!;
    await page.goto(`${instance.url}/settings/browser-extension`);
    let popup = await openPopup(context, page);
    await popup.getByLabel("Connection string").fill("https://example.com");
    await popup.getByRole("button", { name: "Connect" }).click();
    await expect(popup.getByRole("alert")).toContainText("isn't a connection string");
    await expectAccessible(popup);
    await page.getByRole("button", { name: "Connect a browser" }).first().click();
    await expect(popup.getByLabel("Connection string")).toHaveValue(/\/api\|brx-/);
    await popup.getByRole("button", { name: "Connect" }).click();
    await expect(popup.getByLabel("Workspace")).toBeVisible();
    await popup.close();

    await page.goto(site.url);
    popup = await openPopup(context, page);
    await popup.getByLabel("Workspace").selectOption("Lamp room");
    await expectAccessible(popup);
    const status = popup.getByRole("status");
    await popup.getByRole("button", { name: "Save selection" }).click();
    await expect(popup.getByRole("alert")).toContainText("Nothing is selected");
    await popup.getByRole("button", { name: "Save page" }).click();
    await expect(status).toHaveText("Saved “Lamps of the harbour”.");
    await page.evaluate(() => getSelection()!.selectAllChildren(document.querySelector("#wick")!));
    await popup.getByRole("button", { name: "Save selection" }).click();
    await expect(status).toHaveText("Saved “Lamps of the harbour (selection)”.");
    const url = `web://${site.url}.website`;
    expect(await documents()).toEqual([
      expect.objectContaining({ title: "Lamps-of-the-harbour.txt", url, wordCount: 188 }),
      expect.objectContaining({ title: "Lamps-of-the-harbour-selection.txt", url, wordCount: 5 }),
    ]);

    // Playwright can't open the browser's own menu.
    await context.serviceWorkers()[0]!.evaluate(
      `chrome.tabs.query({ url: "${site.url}*" }).then(([tab]) =>
        chrome.contextMenus.onClicked.dispatch({ menuItemId: "selection", frameId: 0 }, tab))`,
    );
    await expect.poll(async () => (await documents()).length).toBe(3);

    const opened = context.waitForEvent("page");
    await popup.getByRole("button", { name: "Ask about this page" }).click();
    const thread = await opened;
    await thread.waitForURL(new RegExp(`/workspace/${slug}/t/[^/]+$`));
    await expect(thread.getByLabel("Message", { exact: true })).toHaveValue(
      "About the page “Lamps of the harbour”: ",
    );
    await popup.getByRole("button", { name: "Disconnect" }).click();
    await expect(popup.getByLabel("Connection string")).toBeVisible();
    expect(
      (await api.json<{ apiKeys: unknown[] }>("GET", "/browser-extension/api-keys")).apiKeys,
    ).toEqual([]);
  } finally {
    await context.close();
    site.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});
