import type { Browser, Page } from "@playwright/test";

/** One visit with an empty cache and profile. */
export interface Visit {
  /** First and largest contentful paint in ms since the navigation began. */
  fcp: number;
  lcp: number;
  layoutShift: number;
  /** Bytes of JavaScript as transferred, with their headers. */
  scriptBytes: number;
  requests: number;
  /** Requests to the server when the page is opened once more, with what the browser kept. */
  warmRequests: number;
  /** CPU time of the page's main thread in ms. */
  mainThread: number;
}

/** By then, a page has finished its automatic requests. */
const quietMs = 4_000;

const watch = `(() => {
  const seen = { fcp: 0, lcp: 0, layoutShift: 0 };
  globalThis.seen = seen;
  const on = (type, take) => new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true });
  on("paint", (entry) => { if (entry.name === "first-contentful-paint") seen.fcp = entry.startTime; });
  on("largest-contentful-paint", (entry) => { seen.lcp = entry.startTime; });
  on("layout-shift", (entry) => { seen.layoutShift += entry.value; });
})()`;

/** Opens a page in a fresh profile and measures until a while after it has loaded. */
export async function visit(browser: Browser, url: string, shown: string): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  try {
    const page: Page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send("Network.enable");
    await session.send("Performance.enable", { timeDomain: "threadTicks" });
    const scripts = new Set<string>();
    const asked = new Set<string>();
    let scriptBytes = 0;
    session.on("Network.requestWillBeSent", ({ requestId, request }) => {
      if (request.url.startsWith("http")) asked.add(requestId);
    });
    session.on("Network.requestServedFromCache", ({ requestId }) => asked.delete(requestId));
    session.on("Network.responseReceived", ({ requestId, type, response }) => {
      if (response.fromDiskCache) asked.delete(requestId);
      if (type === "Script" || /\.m?js$/.test(new URL(response.url).pathname))
        scripts.add(requestId);
    });
    session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
      if (scripts.has(requestId)) scriptBytes += encodedDataLength;
    });
    await page.addInitScript(watch);
    const open = async (): Promise<number> => {
      asked.clear();
      await page.goto(url);
      await page.getByText(shown).first().waitFor();
      await page.waitForTimeout(quietMs);
      return asked.size;
    };
    const requests = await open();
    const { metrics } = await session.send("Performance.getMetrics");
    const seen = await page.evaluate(
      () => (globalThis as unknown as { seen: Pick<Visit, "fcp" | "lcp" | "layoutShift"> }).seen,
    );
    const task = metrics.find(({ name }) => name === "TaskDuration")?.value ?? Number.NaN;
    // A copy, because the second visit counts on.
    const cold = { ...seen, scriptBytes, requests, mainThread: task * 1000 };
    return { ...cold, warmRequests: await open() };
  } finally {
    await context.close();
  }
}
