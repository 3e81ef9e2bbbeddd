import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { GithubFixture } from "../services/connectors/src/source/github/github-server.fixture.ts";
import { prose } from "./client.ts";

/** A repository on a local GitHub server with so many files of about `bytes` each. */
export async function startRepository(
  firstSeed: number,
  files: number,
  bytes: number,
): Promise<GithubFixture> {
  const server = new GithubFixture();
  await server.start();
  server.commit(
    Object.fromEntries(
      Array.from({ length: files }, (_, n) => [
        `notes/${n % 100}/note-${n}.md`,
        `# Note ${firstSeed + n}\n\n${prose(firstSeed + n, bytes)}\n`,
      ]),
    ),
  );
  return server;
}

/** Local pages that answer 304 to whoever has them already. */
export class Pages {
  /** Requests so far, and how many of them were answered with 304. */
  asked = 0;
  unchanged = 0;
  private readonly servers: Server[] = [];
  private readonly texts = new Map<string, { text: string; version: number }>();

  /** Each host has its own port, because live sync limits the requests to a host. */
  async start(hosts: number): Promise<void> {
    for (let n = 0; n < hosts; n++) {
      const server = createServer((request, response) => {
        this.asked++;
        const page = this.texts.get(`http://${request.headers.host}${request.url}`);
        if (page === undefined) return void response.writeHead(404).end();
        const headers = { etag: `"${page.version}"`, "content-type": "text/html; charset=utf-8" };
        if (request.headers["if-none-match"] === headers.etag) {
          this.unchanged++;
          return void response.writeHead(304, headers).end();
        }
        return void response.writeHead(200, headers).end(page.text);
      });
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      this.servers.push(server);
    }
  }

  /** Puts a page at an address of a host, in place of what it had; returns the address. */
  put(host: number, name: string, paragraphs: readonly string[]): string {
    const { port } = this.servers[host]!.address() as AddressInfo;
    const address = `http://127.0.0.1:${port}/${name}`;
    const { version } = this.texts.get(address) ?? { version: 0 };
    const text = paragraphs.map((paragraph) => `<p>${paragraph}</p>`).join("\n");
    this.texts.set(address, {
      text: `<!doctype html><html lang="en"><title>${name}</title><body>${text}</body></html>`,
      version: version + 1,
    });
    return address;
  }

  async stop(): Promise<void> {
    await Promise.all(
      this.servers.map((server) => {
        server.closeAllConnections();
        return new Promise((resolve) => server.close(resolve));
      }),
    );
  }
}
