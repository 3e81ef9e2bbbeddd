import type { IncomingMessage } from "node:http";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createContentClient } from "@carrel/egress";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { ensureChromium, findChromium } from "../../../../tools/chromium.ts";
import { PageRenderer } from "./page-renderer.ts";

const loop = "<script>for (;;) {}</script>";

describe("rendering a page", () => {
  const seen: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    seen.push(request);
    if (request.url === "/app.js")
      response.setHeader("content-type", "text/javascript")
        .end(`fetch("/data.json").then((reply) => reply.json()).then(({ text }) => {
          document.querySelector("main").textContent = text;
        });`);
    else if (request.url === "/data.json")
      response.setHeader("content-type", "application/json").end('{"text":"The tide table"}');
    else if (request.url === "/elsewhere") {
      const other = address.replace("127.0.0.1", "localhost");
      response.writeHead(302, { location: `${other}/data.json` }).end();
    } else if (request.url === "/here") response.writeHead(302, { location: "/data.json" }).end();
    else response.writeHead(404).end();
  });
  const content = createContentClient({ allow: ["127.0.0.1"] });
  let address: string;
  let renderer: PageRenderer;

  beforeAll(async () => {
    await ensureChromium();
    renderer = new PageRenderer(findChromium()!);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  beforeEach(() => void seen.splice(0));
  afterAll(async () => {
    await renderer.close();
    server.closeAllConnections();
    server.close();
  });

  const render = (
    html: string,
    path = "/page",
    client = { own: content, others: content },
    isPublic = false,
  ): Promise<string> =>
    renderer.render(
      { url: `${address}${path}`, contentType: "text/html", html: Buffer.from(html), isPublic },
      client,
      new AbortController().signal,
    );

  it("runs its scripts, which load through the content client", async () => {
    expect(await render('<main></main><script src="/app.js"></script>')).toContain(
      "<main>The tide table</main>",
    );
    expect(seen.map(({ url }) => url)).toEqual(["/app.js", "/data.json"]);
  });

  it("reaches nothing that the content client refuses", async () => {
    const closed = createContentClient();
    const html = await render(
      `<img src="${address}/image.png"><iframe src="${address}/frame"></iframe>
      <p>pending</p>
      <script>
        const done = [];
        const note = (what) => done.push(what);
        navigator.sendBeacon("${address}/beacon");
        new WebSocket("${address.replace("http", "ws")}/socket").onclose = () => note("socket");
        window.open("${address}/popup");
        alert("wait");
        Promise.allSettled(
          ["${address}/private", "file:///etc/passwd"].map((url) => fetch(url)),
        ).then((all) => {
          document.querySelector("p").textContent = all.map(({ status }) => status).join();
        });
      </script>`,
      "/page",
      { own: closed, others: closed },
    );
    expect(html).toContain("<p>rejected,rejected</p>");
    expect(seen).toEqual([]);
  });

  it("doesn't let scripts read what another origin sends to nobody else", async () => {
    const other = address.replace("127.0.0.1", "127.0.0.2");
    const html = await renderer.render(
      {
        url: `${other}/page`,
        contentType: "text/html",
        html: Buffer.from(`<p></p><script>
          fetch("${address}/data.json").then((reply) => reply.text(), () => "refused").then((text) => {
            document.querySelector("p").textContent = text;
          });
        </script>`),
        isPublic: false,
      },
      { own: createContentClient({ allow: ["127.0.0.2"] }), others: content },
      new AbortController().signal,
    );
    expect(html).toContain("<p>refused</p>");
    expect(seen.map(({ url }) => url)).toEqual(["/data.json"]);
  });

  const ask = (path: string): string => `<p></p><script>
    fetch("${path}").then((reply) => reply.text(), () => "refused").then((text) => {
      document.querySelector("p").textContent = text;
    });
  </script>`;

  it("follows redirects of a page's own server only as far as that server", async () => {
    const clients = { own: content, others: createContentClient() };
    expect(await render(ask("/here"), "/page", clients)).toContain("The tide table");
    seen.splice(0);
    expect(await render(ask("/elsewhere"), "/page", clients)).toContain("<p>refused</p>");
    expect(seen.map(({ url }) => url)).toEqual(["/elsewhere"]);
  });

  it("lets no page of the internet reach the intranet by its own name", async () => {
    const clients = { own: content, others: createContentClient() };
    expect(await render(ask("/data.json"), "/page", clients, true)).toContain("<p>refused</p>");
    expect(seen).toEqual([]);
  });

  it("gives up on a script that never ends, and renders the next page", async () => {
    const endless = {
      url: address,
      contentType: "text/html",
      html: Buffer.from(loop),
      isPublic: false,
    };
    await expect(
      renderer.render(endless, { own: content, others: content }, AbortSignal.timeout(3_000)),
    ).rejects.toThrow("timeout");
    expect(await render("<p>The next page</p>")).toContain("<p>The next page</p>");
    const impatient = new PageRenderer(findChromium()!, 1);
    await expect(
      impatient.render(endless, { own: content, others: content }, new AbortController().signal),
    ).rejects.toMatchObject({ code: "source.page-endless" });
    await impatient.close();
  }, 60_000);

  it("says so if there is no such browser", async () => {
    const missing = new PageRenderer("/nowhere/chromium");
    await expect(
      missing.render(
        { url: address, contentType: "text/html", html: Buffer.from("<p>"), isPublic: false },
        { own: content, others: content },
        new AbortController().signal,
      ),
    ).rejects.toMatchObject({ code: "source.no-browser" });
  });
});
