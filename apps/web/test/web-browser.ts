import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect } from "@jest/globals";
import { slowdown, slowPages } from "@carrel/testing";
import { chromium, type Browser, type BrowserContext, type Page } from "playwright-core";
import { FakeGateway } from "./fake-gateway.ts";
import { makePdf } from "./make-pdf.ts";

export { focused, settled } from "@carrel/testing";

const root = join(import.meta.dirname, "..");
/**
 * The built app: this package's own, made anew when a source is newer, or one that was built
 * elsewhere.
 */
export const dist = process.env.CARREL_WEB_DIST ?? join(root, "dist");
const executablePath = process.env.CARREL_CHROMIUM ?? "/usr/bin/chromium";
const newest = (folder: string): number =>
  Math.max(
    ...readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.includes(".spec."))
      .map((entry) => statSync(join(entry.parentPath, entry.name)).mtimeMs),
  );
const longestBuild = 120_000;

/**
 * Builds the app where it is older than its sources. Test files run side by side: the first one
 * builds, the others wait.
 */
async function build(): Promise<void> {
  const lock = join(root, "node_modules/.web-build-lock");
  if (process.env.CARREL_WEB_DIST) return;
  const index = join(dist, "index.html");
  mkdirSync(join(root, "node_modules"), { recursive: true });
  for (;;) {
    try {
      mkdirSync(lock);
      break;
    } catch {
      if (existsSync(lock) && Date.now() - statSync(lock).mtimeMs > longestBuild)
        rmSync(lock, { recursive: true, force: true }); // of a run that was killed
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
  try {
    if (!existsSync(index) || statSync(index).mtimeMs < newest(join(root, "src")))
      execFileSync(process.execPath, [join(root, "../../node_modules/vite/bin/vite.js"), "build"], {
        cwd: root,
        stdio: "inherit",
        env: { ...process.env, NODE_OPTIONS: "", NODE_ENV: "production" },
      });
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
}

/** What a test of the built app works with; each test has its own stand-in and its own page. */
export interface WebBrowser {
  gateway: FakeGateway;
  context: BrowserContext;
  page: Page;
  open: (options?: Parameters<Browser["newContext"]>[0]) => Promise<void>;
  ask: (text: string) => Promise<void>;
  thread: () => string;
}

/** Registers the hooks. Anything in the console that is no expected status fails the test. */
export function useWebBrowser(): WebBrowser {
  let browser: Browser;
  let faults: string[] = [];
  const web = {
    async open(options: Parameters<Browser["newContext"]>[0] = {}): Promise<void> {
      await web.context?.close();
      web.context = await browser.newContext({
        viewport: { width: 1440, height: 900 },
        colorScheme: "dark",
        ...options,
      });
      web.context.setDefaultTimeout(45_000);
      slowPages(web.context);
      web.page = await web.context.newPage();
      web.page.on("console", (message) => {
        if (message.type() === "error") faults.push(message.text());
      });
      web.page.on("pageerror", (error) => faults.push(error.message));
    },
    async ask(text: string): Promise<void> {
      await web.page.getByLabel("Message", { exact: true }).fill(text);
      await web.page.keyboard.press("Enter");
    },
    thread: () => `${web.gateway.url}/workspace/heat-pump-retrofit/t/flow`,
  } as WebBrowser;
  beforeAll(async () => {
    await build();
    browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  }, longestBuild);
  afterAll(async () => {
    await browser.close();
  });
  beforeEach(async () => {
    faults = [];
    web.gateway = new FakeGateway(dist);
    web.gateway.pdf = makePdf();
    web.gateway.late = slowdown > 1 ? 25 * slowdown : 0;
    await web.gateway.start();
    await web.open();
  });
  afterEach(async () => {
    await web.context.close();
    web.gateway.stop();
    expect(
      faults.filter(
        (text) =>
          !/status of (4\d\d|50[03])|ERR_INCOMPLETE_CHUNKED|ERR_EMPTY_RESPONSE|ERR_CONNECTION/.test(
            text,
          ),
      ),
    ).toEqual([]);
  });
  return web;
}
