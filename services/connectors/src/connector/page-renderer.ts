import { CarrelError } from "@carrel/contracts";
import type { ContentClient } from "@carrel/egress";
import type { Browser, BrowserContext, Page, Route } from "playwright-core";

const startMs = 15_000;
/** After it, a page that goes on loading is taken as it is. */
const quietMs = 8_000;
/** A script that never ends keeps its page from closing; its browser ends with it then. */
const closeMs = 2_000;
const maxRequests = 200;
const maxLoadedBytes = 30_000_000;
const longestHtml = 10_000_000;
/** A browser that nobody needs ends after this time. */
const idleMs = 60_000;

/** What scripts may load: neither pictures, fonts and films nor further documents. */
const loadable = new Set(["script", "xhr", "fetch", "stylesheet"]);
/** Headers of a script's request that are passed on. */
const passedHeaders = ["accept", "content-type", "x-requested-with"];

/** A page as its server sent it. */
export interface ReceivedPage {
  url: string;
  contentType: string;
  html: Buffer;
  /** It may come from the internet, so its scripts get nothing from the intranet. */
  isPublic: boolean;
}

/** What the own origin of an intranet's page is read with, and everything else. */
export interface PageClients {
  own: ContentClient;
  /** Public addresses only. */
  others: ContentClient;
}

/**
 * Runs the scripts of pages in a Chromium of the server. The browser itself reaches no network: every
 * request goes through the content client, and whatever escapes that ends at a proxy that isn't
 * there.
 */
export class PageRenderer {
  private browser: Promise<Browser> | null = null;
  /** One page after another: each may take 200 MB. */
  private last: Promise<unknown> = Promise.resolve();
  private idle: NodeJS.Timeout | null = null;

  /**
   * @param program the path of a Chromium
   * @param renderMs for the scripts of a page and what they load
   */
  constructor(
    private readonly program: string,
    private readonly renderMs = 15_000,
  ) {}

  /** The page's HTML once its scripts are done. */
  render(received: ReceivedPage, content: PageClients, signal: AbortSignal): Promise<string> {
    const rendered = this.last.then(() => {
      signal.throwIfAborted();
      return this.renderNow(received, content, signal);
    });
    this.last = rendered.catch(() => undefined);
    return rendered;
  }

  async close(): Promise<void> {
    if (this.idle !== null) clearTimeout(this.idle);
    const browser = await this.browser?.catch(() => null);
    this.browser = null;
    await browser?.close();
  }

  private async renderNow(
    received: ReceivedPage,
    content: PageClients,
    signal: AbortSignal,
  ): Promise<string> {
    if (this.idle !== null) clearTimeout(this.idle);
    const browser = await (this.browser ??= this.launch());
    const clock = AbortSignal.timeout(this.renderMs);
    const stop = AbortSignal.any([signal, clock]);
    const context = await browser.newContext({
      serviceWorkers: "block",
      acceptDownloads: false,
      javaScriptEnabled: true,
    });
    try {
      const work = load(context, received, content, stop);
      return await untilAborted(work, stop);
    } catch (error) {
      signal.throwIfAborted();
      if (!clock.aborted && browser.isConnected()) throw error;
      throw new CarrelError("source.page-endless", {}, { cause: error });
    } finally {
      await untilAborted(context.close(), AbortSignal.timeout(closeMs)).catch(() => this.close());
      this.idle = setTimeout(() => void this.close(), idleMs).unref();
    }
  }

  private async launch(): Promise<Browser> {
    try {
      const { chromium } = await import("playwright-core");
      const browser = await chromium.launch({
        executablePath: this.program,
        // Chromium's sandbox refuses to run as root.
        chromiumSandbox: process.getuid?.() !== 0,
        args: [
          // Nothing listens there.
          "--proxy-server=http://127.0.0.1:9",
          "--proxy-bypass-list=<-loopback>",
          "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
        ],
        timeout: startMs,
      });
      const started = this.browser;
      browser.once("disconnected", () => {
        if (this.browser === started) this.browser = null;
      });
      return browser;
    } catch (error) {
      this.browser = null;
      throw new CarrelError("source.no-browser", {}, { cause: error });
    }
  }
}

async function load(
  context: BrowserContext,
  received: ReceivedPage,
  content: PageClients,
  signal: AbortSignal,
): Promise<string> {
  const { url, contentType, html } = received;
  const page = await context.newPage();
  const budget = { requests: maxRequests, bytes: maxLoadedBytes };
  let isOpened = false;
  await page.routeWebSocket(/.*/, (socket) => socket.close());
  await page.route("**/*", async (route) => {
    const request = route.request();
    if (!isOpened && request.isNavigationRequest() && request.url() === new URL(url).href) {
      isOpened = true;
      return route.fulfill({ status: 200, contentType, body: html });
    }
    const isWanted = loadable.has(request.resourceType()) && --budget.requests >= 0;
    return isWanted ? answer(route, received, content, budget, signal) : route.abort();
  });
  // Dialogs would hold up the page.
  page.on("dialog", (dialog) => void dialog.dismiss().catch(() => undefined));
  context.on("page", (opened) => void opened.close().catch(() => undefined));
  await page.goto(url, { waitUntil: "domcontentloaded", timeout: 0 });
  await page.waitForLoadState("networkidle", { timeout: quietMs }).catch(() => undefined);
  return readHtml(page);
}

async function answer(
  route: Route,
  page: ReceivedPage,
  content: PageClients,
  budget: { bytes: number },
  signal: AbortSignal,
): Promise<void> {
  const request = route.request();
  const method = request.method();
  if ((method !== "GET" && method !== "POST") || budget.bytes <= 0) return route.abort();
  // Servers of the intranet are there for pages of theirs only: a public name may lead there later.
  const { origin } = new URL(page.url);
  const isOwn = new URL(request.url()).origin === origin;
  const client = isOwn && !page.isPublic ? content.own : content.others;
  const sent = request.headers();
  const body = request.postDataBuffer();
  try {
    const reply = await client.fetch(request.url(), {
      method,
      signal,
      maxBytes: Math.max(1_000, budget.bytes),
      headers: Object.fromEntries(
        passedHeaders.flatMap((name) => {
          const value = sent[name];
          return value === undefined ? [] : [[name, value]];
        }),
      ),
      ...(body !== null && { body }),
      // The browser would let the page read the reply as its own.
      ...(isOwn && { mayFollow: (target) => Promise.resolve(target.origin === origin) }),
    });
    if (reply.status >= 300 && reply.status < 400) return await route.abort();
    budget.bytes -= reply.body.length;
    const type = reply.headers.get("content-type");
    // Without this header, Playwright would let scripts read replies of other origins.
    const readers = reply.headers.get("access-control-allow-origin") ?? "https://nobody.invalid";
    await route.fulfill({
      status: reply.status,
      headers: {
        ...(type !== null && { "content-type": type }),
        ...(!isOwn && { "access-control-allow-origin": readers }),
      },
      body: reply.body,
    });
  } catch {
    // The page goes on without it, or is gone already.
    await route.abort().catch(() => undefined);
  }
}

const readHtml = (page: Page): Promise<string> =>
  page.evaluate<string>(`document.documentElement.outerHTML.slice(0, ${longestHtml})`);

/** Rejects as soon as the signal aborts: a page whose script never ends doesn't answer. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const stop = (): void => reject(signal.reason as Error);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}
