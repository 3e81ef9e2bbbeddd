import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { instanceShape, loadConfig } from "@carrel/config";
import {
  fetchLink,
  instancePrincipal,
  registerDocument,
  type In,
  type Out,
} from "@carrel/contracts";
import { Handle } from "@carrel/messaging";
import {
  createSharedInfrastructure,
  startService,
  type RunningService,
  type ServiceDefinition,
  type SharedInfrastructure,
} from "@carrel/runtime";
import { createBlobStore } from "@carrel/storage";
import { startTestRedis, type TestRedis } from "@carrel/testing";
import { Controller, Module } from "@nestjs/common";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import type { FetchContext } from "../connector/connector.ts";
import { connectorsShape } from "../connectors.config.ts";
import { connectorsService } from "../index.ts";
import { connectors } from "./connectors.ts";

const registered: In<typeof registerDocument>[] = [];
@Controller()
class IngestDouble {
  @Handle(registerDocument)
  register(input: In<typeof registerDocument>): Promise<Out<typeof registerDocument>> {
    registered.push(input);
    return Promise.resolve({
      documentId: "00000000-0000-4000-8000-000000000001",
      title: input.metadata.title ?? "",
    });
  }
}
class IngestDoubleModule {}
Module({ controllers: [IngestDouble] })(IngestDoubleModule);
const ingestDouble: ServiceDefinition = {
  name: "ingest",
  module: IngestDoubleModule,
  contracts: { operations: [registerDocument], jobs: [], events: [] },
};

describe("fetching a link", () => {
  let redis: TestRedis, home: string, site: Server, shared: SharedInfrastructure, address: string;
  /** Headers of the site's last request. */
  let sent: IncomingHttpHeaders;
  const services: RunningService[] = [];

  beforeAll(async () => {
    [redis, home] = await Promise.all([
      startTestRedis(),
      mkdtemp(path.join(tmpdir(), "carrel-connectors-")),
    ]);
    site = createServer((request, response) => {
      sent = request.headers;
      if (request.url === "/page")
        response
          .setHeader("content-type", "text/html; charset=iso-8859-1")
          .end(Buffer.from("<h1>Köln</h1><p>Bridges and bells.</p>", "latin1"));
      else if (request.url === "/empty")
        response.setHeader("content-type", "text/html").end("  \n");
      else if (request.url === "/inside")
        response.writeHead(302, { location: "http://169.254.169.254/latest/meta-data" }).end();
      else if (request.url === "/large")
        response.setHeader("content-type", "text/plain").end("x".repeat(200_000));
      else response.writeHead(404).end("gone");
    });
    await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
    address = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
    const config = loadConfig(
      { ...instanceShape, ...connectorsShape },
      {
        CARREL_HOME: home,
        DATABASE_URL: "postgres://unused:unused@127.0.0.1:1/unused",
        REDIS_URL: redis.url,
        CARREL_SECRET: "a secret for tests that is long enough",
        CARREL_LOG_LEVEL: "silent",
        CARREL_LINK_ALLOW: "127.0.0.1",
        CARREL_LINK_MAX_BYTES: "100000",
      },
    );
    shared = createSharedInfrastructure(config);
    services.push(
      await startService(ingestDouble, config, { shared, healthPort: false }),
      await startService(connectorsService, config, { shared, healthPort: false }),
    );
  });
  afterAll(async () => {
    for (const service of services.toReversed()) await service.stop();
    await shared?.close();
    site?.close();
    await redis?.stop();
    await rm(home, { recursive: true, force: true });
  });

  const fetch = (link: string) =>
    shared.messaging.client.request(
      fetchLink,
      { link, embed: false },
      { scope: { principal: instancePrincipal, workspace: null } },
    );

  it("stores the page with the wire's metadata", async () => {
    const { title } = await fetch(`${address}/page`);
    expect(title).toBe("127.0.0.1-page.html");
    const input = registered.at(-1)!;
    expect(input).toMatchObject({
      filename: "127.0.0.1-page.html",
      mime: "text/html",
      metadata: {
        docSource: "URL link uploaded by the user.",
        chunkSource: `link://${address}/page`,
        url: "file://127.0.0.1-page.html",
      },
    });
    const { body } = await createBlobStore({ kind: "disk", root: path.join(home, "blobs") }).get(
      input.blobKey,
    );
    expect(await text(body)).toBe("<h1>Köln</h1><p>Bridges and bells.</p>");
  });

  it("prefers the caller's metadata and sends only permitted headers", async () => {
    await shared.messaging.client.request(
      fetchLink,
      {
        link: `${address}/page`,
        embed: false,
        headers: { Authorization: "Bearer x", Host: "elsewhere" },
        metadata: { title: "Bridges", docAuthor: "Eva" },
      },
      { scope: { principal: instancePrincipal, workspace: null } },
    );
    expect(registered.at(-1)!.metadata).toMatchObject({
      title: "Bridges",
      docAuthor: "Eva",
      description: "No description found.",
      chunkSource: `link://${address}/page`,
    });
    expect(sent).toMatchObject({ authorization: "Bearer x", host: new URL(address).host });
  });

  it("lists its one item under the id that it is registered with", async () => {
    const { id, listItems } = connectors.link;
    const settings = { link: " example.com/a ", headers: {} };
    const items: URL[] = [];
    for await (const item of listItems(settings, {} as FetchContext)) items.push(item);
    expect([id, ...items.map(String)]).toEqual(["link", "https://example.com/a"]);
  });

  it.each([
    ["not a url", "BAD_INPUT", "Not a valid URL."],
    ["ftp://127.0.0.1/x", "BAD_INPUT", "Not a valid URL."],
  ])("refuses %s", async (link, kind, message) => {
    await expect(fetch(link)).rejects.toMatchObject({ kind, message });
  });

  it("reports missing and empty pages", async () => {
    await expect(fetch(`${address}/nowhere`)).rejects.toMatchObject({
      kind: "LINK_UNREACHABLE",
      message: `No URL content found at ${address}/nowhere.`,
    });
    await expect(fetch(`${address}/empty`)).rejects.toMatchObject({
      kind: "LINK_UNREACHABLE",
      message: `No URL content found at ${address}/empty.`,
    });
    await expect(fetch(`${address}/large`)).rejects.toMatchObject({ kind: "TOO_LARGE" });
  });

  it.each([
    "http://10.0.0.1/",
    "http://[::1]/",
    "http://[::ffff:10.0.0.1]/",
    "http://169.254.169.254/",
    "http://0x0a000001/",
    "http://localhost.localdomain.internal.invalid/",
  ])("refuses or doesn't find %s", async (link) => {
    await expect(fetch(link)).rejects.toMatchObject({
      kind: expect.stringMatching(/^LINK_(REFUSED|UNREACHABLE)$/),
    });
  });

  it("refuses a redirect to a private address", async () => {
    await expect(fetch(`${address}/inside`)).rejects.toMatchObject({ kind: "LINK_REFUSED" });
  });
});
