import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { join } from "node:path";
import { keepScreenshots, slowdown, slowPages } from "@carrel/testing";
import { expect, test as base, type Page } from "@playwright/test";
import { FakeGateway, urlOf } from "./fake-gateway.ts";
import { makePdf } from "./make-pdf.ts";

export { expect };
export { isThorough, settled } from "@carrel/testing";

/** The thread that most tests use. */
export const threadPath = "/workspace/heat-pump-retrofit/t/flow";
export const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/** The built app. */
export const dist = process.env.CARREL_WEB_DIST ?? join(import.meta.dirname, "../dist");
const expectedErrors =
  /status of (4\d\d|50[023])|ERR_INCOMPLETE_CHUNKED|ERR_EMPTY_RESPONSE|ERR_CONNECTION|ERR_INTERNET_DISCONNECTED/;

interface Fixtures {
  /** Milliseconds by which the gateway's answers are delayed. */
  latency: number;
  gateway: FakeGateway;
}

interface WorkerFixtures {
  /**
   * The server that the gateways of a worker's tests use one after another. As the address stays
   * the same, the renderer keeps the compiled app (`reuseContext` in playwright.config.ts).
   */
  server: Server;
}

/** Tests of the built app. Each has its own gateway, because tests change its state. */
export const test = base.extend<Fixtures, WorkerFixtures>({
  server: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright requires a pattern
    async ({}, use) => {
      const server = createServer().listen(0, "127.0.0.1");
      await once(server, "listening");
      await use(server);
      server.close();
    },
    { scope: "worker" },
  ],
  latency: [slowdown > 1 ? 25 * slowdown : 0, { option: true }],
  // Set up after the context, because only its reset closes the previous test's page, which would
  // call this gateway.
  gateway: [
    async ({ latency, server, context }, use, test) => {
      const gateway = new FakeGateway(dist);
      gateway.pdf = makePdf();
      gateway.late = latency;
      gateway.serve(server);
      await use(gateway);
      await keepScreenshots(context, test);
      gateway.stop();
    },
    { auto: true }, // set up before the page, so torn down after it
  ],
  baseURL: async ({ server }, use) => use(urlOf(server)),
  context: async ({ context }, use) => {
    slowPages(context);
    await use(context);
  },
  /** Fails the test on any console error except HTTP statuses that the app handles. */
  page: async ({ page }, use) => {
    const errors: string[] = [];
    const note = (text: string): void => {
      if (!expectedErrors.test(text)) errors.push(`${page.url()}: ${text}`);
    };
    page.on("console", (message) => {
      if (message.type() === "error") note(message.text());
    });
    page.on("pageerror", (error) => note(error.message));
    await use(page);
    // A route's handler may still be waiting for the gateway.
    await page.unrouteAll({ behavior: "ignoreErrors" });
    expect(errors).toEqual([]);
  },
});

export async function ask(page: Page, text: string): Promise<void> {
  await page.getByLabel("Message", { exact: true }).fill(text);
  await page.keyboard.press("Enter");
}

/**
 * Options of a poll that scrolls: each attempt is a step, and only the test's own timeout ends it.
 */
export const stepwise = { intervals: [20], timeout: 0 };
