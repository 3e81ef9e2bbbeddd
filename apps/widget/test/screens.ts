// Takes screenshots to review: node --import ../../tools/swc-hook.mjs
// --conditions=@carrel/source test/screens.ts <folder>
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { settled } from "@carrel/testing";
import { chromium } from "@playwright/test";
import { findChromium } from "../../../tools/chromium.ts";
import { FakeEmbed } from "./fake-embed.ts";
import { dist, phone, Site } from "./fixtures.ts";

const folder = process.argv[2] ?? join(import.meta.dirname, "../../../.cache/widget-screens");
mkdirSync(folder, { recursive: true });

const answer = `Heat pumps work best with **low flow temperatures**. For your building:

| Radiators | Flow | Saving |
|---|---:|---:|
| As they are | 55 °C | – |
| Larger in 3 rooms | 45 °C | 18 % |

1. Measure the *actual* flow on a cold day.
2. Lower it step by step, see the [guide](https://example.org/guide).

\`\`\`yaml
flow:
  target: 45
\`\`\``;
const hebrew = `משאבות חום עובדות הכי טוב עם **טמפרטורת זרימה נמוכה**:

- למדוד ביום קר
- להוריד בהדרגה, ראו את ה[מדריך](https://example.org)`;

const gateway = await FakeEmbed.start(dist);
const site = new Site(gateway);
site.body = `<main><h1>Northern Heat</h1><p>Prices and delivery of heat pumps in your region.</p></main>`;
const server = createServer((_request, response) =>
  response
    .writeHead(200, { "Content-Type": "text/html", "Content-Security-Policy": site.policy })
    .end(site.html()),
).listen(0, "127.0.0.1");
await once(server, "listening");
site.url = `http://localhost:${(server.address() as AddressInfo).port}`;
const browser = await chromium.launch({ executablePath: findChromium(), args: ["--no-sandbox"] });

for (const [width, screen] of [
  ["wide", { viewport: { width: 1440, height: 900 } }],
  ["phone", phone],
] as const)
  for (const scheme of ["light", "dark"] as const)
    for (const language of ["en", "he"]) {
      const context = await browser.newContext({ ...screen, colorScheme: scheme });
      const page = await context.newPage();
      site.attributes = { "data-language": language, "data-support-email": "help@example.org" };
      gateway.turns = [];
      gateway.sources = [{ title: "Retrofit guide.pdf", text: "Flow temperatures below 50 °C …" }];
      gateway.session = {
        suggestedMessages: ["What does it cost?", "Which radiators do I need?"],
        greeting: null,
      };
      gateway.parts = [language === "he" ? hebrew : answer];
      const shoot = async (name: string): Promise<void> => {
        await settled(page);
        await page.screenshot({ path: join(folder, `${width}-${scheme}-${language}-${name}.png`) });
      };
      await page.goto(site.url);
      await page.locator(".launcher").waitFor();
      await shoot("closed");
      await page.locator(".launcher").click();
      await page.locator(".suggestions").waitFor();
      await shoot("empty");
      await page.locator(".suggestions button").first().click();
      await page.locator(".sources summary").click();
      await shoot("answer");
      gateway.refused = { status: 429, body: { error: "Please come back tomorrow." } };
      await page.getByRole("textbox").fill("Anything else?");
      await page.keyboard.press("Enter");
      await page.locator(".fault").waitFor();
      await shoot("refused");
      await context.close();
    }
await browser.close();
server.close();
gateway.stop();
