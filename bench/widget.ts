/**
 * The widget's script on a page of another origin, in Chromium with an empty cache: size, when its
 * button is painted, and what it moves on the page. The median of ten visits, each in a fresh
 * profile.
 */
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { chromium, type Browser } from "@playwright/test";
import { findChromium } from "../tools/chromium.ts";
import { quantile } from "./client.ts";

const visits = 10;
const dist = join(import.meta.dirname, "../apps/widget/dist");
const compressed = readFileSync(join(dist, "carrel-widget.js.gz"));

interface Visit {
  /** Time from the end of the script's download until the frame with its button. */
  button: number;
  layoutShift: number;
}

async function serve(answer: RequestListener): Promise<{ server: Server; url: string }> {
  const server = createServer(answer).listen(0, "127.0.0.1");
  await once(server, "listening");
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

const gateway = await serve((_request, response) =>
  response
    .writeHead(200, {
      "content-type": "text/javascript",
      "content-encoding": "gzip",
      "access-control-allow-origin": "*",
      "timing-allow-origin": "*",
    })
    .end(compressed),
);
const paragraphs = "<p>Prices and delivery of heat pumps in your region.</p>".repeat(60);
const site = await serve((_request, response) =>
  response.writeHead(200, { "content-type": "text/html" })
    .end(`<!doctype html><title>Shop</title><body>${paragraphs}
      <script async data-embed-id="6f1d0c9a-3a5e-4a6b-9d5e-0d6b8f3f2a11"
        data-base-api-url="${gateway.url}/api/embed" src="${gateway.url}/embed/carrel-widget.js"></script>`),
);

/** Reports the frame after the one in which the button was added. */
const watch = `(() => {
  globalThis.seen = { layoutShift: 0 };
  new PerformanceObserver((list) => list.getEntries().forEach((entry) => { seen.layoutShift += entry.value; }))
    .observe({ type: "layout-shift", buffered: true });
  const look = () => {
    if (!document.querySelector("carrel-widget")?.shadowRoot?.querySelector(".launcher")) return requestAnimationFrame(look);
    requestAnimationFrame(() => {
      const [script] = performance.getEntriesByType("resource").filter(({ name }) => name.endsWith("widget.js"));
      seen.button = performance.now() - script.responseEnd;
    });
  };
  look();
})()`;

async function visit(browser: Browser): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  try {
    const page = await context.newPage();
    await page.addInitScript(watch);
    await page.goto(site.url);
    await page.waitForFunction("seen.button !== undefined");
    const { button } = (await page.evaluate("seen")) as Visit;
    // Opening is the visitor's doing, but must not move the page either.
    await page.locator(".launcher").click();
    await page.getByRole("dialog").waitFor();
    await page.waitForTimeout(500);
    return { button, layoutShift: ((await page.evaluate("seen")) as Visit).layoutShift };
  } finally {
    await context.close();
  }
}

const print = (what: string, how: string, figure: string, goal: string): void =>
  console.log(JSON.stringify({ what, how, figure, reach: "", goal }));

const browser = await chromium.launch({ executablePath: findChromium(), args: ["--no-sandbox"] });
try {
  await visit(browser); // the browser's own start
  const runs: Visit[] = [];
  for (let run = 0; run < visits; run++) runs.push(await visit(browser));
  const buttons = runs.map(({ button }) => button);
  print(
    "widget, script",
    "gzip 9, one file with English, styles and icons",
    `${(compressed.length / 1000).toFixed(1)} kB`,
    "≤ 35 kB",
  );
  print(
    "widget, first paint of the button",
    `after the script has arrived, page of 60 paragraphs, cold cache; median of ${visits} (${Math.min(...buttons).toFixed(0)}–${Math.max(...buttons).toFixed(0)})`,
    `${quantile(buttons, 0.5).toFixed(0)} ms`,
    "≤ 100 ms",
  );
  print(
    "widget, layout shift of the page",
    `loading and opening it; worst of ${visits}`,
    Math.max(...runs.map(({ layoutShift }) => layoutShift)).toFixed(3),
    "0",
  );
} finally {
  await browser.close();
  gateway.server.close();
  site.server.close();
}
