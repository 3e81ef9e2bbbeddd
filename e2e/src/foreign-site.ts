import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/** Somebody else's site: every address shows the same page, under its own origin and policy. */
export class ForeignSite {
  private constructor(
    private readonly server: Server,
    readonly origin: string,
  ) {}

  /** @param gateway everything its policy allows in addition to its own pages */
  static async start(gateway: string, body: () => string): Promise<ForeignSite> {
    const policy = `default-src 'none'; script-src ${gateway}; connect-src ${gateway}; frame-src ${gateway}; img-src data:`;
    const server = createServer((_request, response) =>
      response
        .writeHead(200, { "content-type": "text/html", "content-security-policy": policy })
        .end(
          `<!doctype html><html lang="en"><title>A shop</title><link rel="icon" href="data:,"><body><h1>Shop</h1>${body()}`,
        ),
    ).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    return new ForeignSite(server, `http://localhost:${port}`);
  }

  stop(): void {
    this.server.close();
    this.server.closeAllConnections();
  }
}

export const widgetTag = (gateway: string, embedId: string): string =>
  `<script data-embed-id="${embedId}" data-base-api-url="${gateway}/api/embed" src="${gateway}/embed/carrel-widget.js"></script>`;
