import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { keepScreenshots, slowPages } from "@carrel/testing";
import { expect, test as base, type Locator, type Page } from "@playwright/test";
import { embedId, FakeEmbed } from "./fake-embed.ts";

export { expect };
export const dist = join(import.meta.dirname, "../dist");
export const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

const expectedErrors = /status of (4\d\d|50[023])|ERR_INCOMPLETE_CHUNKED|ERR_INTERNET_DISCONNECTED/;

/** A page of somebody else's site, with a strict content security policy. */
export class Site {
  /** Attributes of the script tag in addition to the two required ones. */
  attributes: Record<string, string> = {};
  script = "carrel-widget.js";
  /** The page's own content. */
  body = `<main><h1>Heat pumps</h1><p>Prices and <a href="/other">delivery</a>.</p></main>`;
  lang = "en";
  url = "";

  constructor(private readonly gateway: FakeEmbed) {}

  html(): string {
    const attributes = {
      "data-embed-id": embedId,
      "data-base-api-url": `${this.gateway.url}/api/embed`,
      src: `${this.gateway.url}/embed/${this.script}`,
      ...this.attributes,
    };
    const tag = Object.entries(attributes).map(
      ([name, value]) => `${name}="${value.replaceAll('"', "&quot;")}"`,
    );
    return `<!doctype html><html lang="${this.lang}"><head><title>A shop</title>
      <link rel="icon" href="data:,"><meta name="viewport" content="width=device-width"></head>
      <body>${this.body}<script ${tag.join(" ")}></script></body></html>`;
  }

  /** Allows nothing inline, and only the gateway in addition to the site. */
  get policy(): string {
    return `default-src 'none'; script-src ${this.gateway.url}; connect-src ${this.gateway.url}; img-src data:; require-trusted-types-for 'script'; trusted-types 'none'`;
  }
}

interface Fixtures {
  gateway: FakeEmbed;
  site: Site;
  widget: Widget;
  screenshots: void;
}

/** The widget as a visitor sees it. */
class Widget {
  readonly button: Locator;
  readonly dialog: Locator;
  readonly field: Locator;
  readonly answers: Locator;

  constructor(
    private readonly page: Page,
    private readonly site: Site,
  ) {
    this.button = page.locator(".launcher");
    this.dialog = page.getByRole("dialog");
    this.field = page.getByRole("textbox");
    this.answers = page.locator(".assistant .bubble");
  }

  async visit(path = "/"): Promise<void> {
    await this.page.goto(this.site.url + path);
  }

  async open(): Promise<void> {
    await this.visit();
    await this.button.click();
    await expect(this.field).toBeFocused();
  }

  async ask(text: string): Promise<void> {
    await this.field.fill(text);
    await expect(this.page.locator(".send")).toHaveAttribute("aria-disabled", "false");
    await this.page.keyboard.press("Enter");
  }
}

export const test = base.extend<Fixtures>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright requires a pattern
  gateway: async ({}, use) => {
    const gateway = await FakeEmbed.start(dist);
    await use(gateway);
    gateway.stop();
  },
  site: async ({ gateway }, use) => {
    const site = new Site(gateway);
    const server = createServer((_request, response) =>
      response
        .writeHead(200, {
          "Content-Type": "text/html",
          "Content-Security-Policy": site.policy,
        })
        .end(site.html()),
    ).listen(0, "127.0.0.1");
    await once(server, "listening");
    site.url = `http://localhost:${(server.address() as AddressInfo).port}`;
    await use(site);
    server.close();
    server.closeAllConnections();
  },
  context: async ({ context }, use) => {
    slowPages(context);
    await use(context);
  },
  /** Set up after the servers, so torn down before they stop. */
  screenshots: [
    async ({ context, site: _site }, use, test) => {
      await use();
      await keepScreenshots(context, test);
    },
    { auto: true },
  ],
  widget: async ({ page, site }, use) => {
    const errors: string[] = [];
    page.on("console", (message) => {
      if (message.type() === "error") errors.push(message.text());
    });
    page.on("pageerror", (error) => errors.push(error.message));
    await use(new Widget(page, site));
    // Violations of the site's policy are errors too.
    expect(errors.filter((text) => !expectedErrors.test(text))).toEqual([]);
  },
});
