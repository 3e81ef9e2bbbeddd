import type { IncomingHttpHeaders } from "node:http";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { startTestConnectors, type TestConnectors } from "../../test/test-connectors.ts";

describe("fetching a link", () => {
  let instance: TestConnectors;
  /** Headers of the site's last request. */
  let sent: IncomingHttpHeaders;

  beforeAll(async () => {
    instance = await startTestConnectors((request, response) => {
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
  });
  afterAll(() => instance.stop());

  const fetch = (link: string) => instance.fetch(link);
  const lastInput = () => instance.registrations.at(-1)!.input;

  it("stores the page with the wire's metadata", async () => {
    const { title } = await fetch(`${instance.address}/page`);
    expect(title).toBe("127.0.0.1-page.html");
    const input = lastInput();
    expect(input).toMatchObject({
      filename: "127.0.0.1-page.html",
      mime: "text/html",
      metadata: {
        docSource: "URL link uploaded by the user.",
        chunkSource: `link://${instance.address}/page`,
        url: "file://127.0.0.1-page.html",
      },
    });
    const { body } = await instance.blobs.get(input.blobKey);
    // Stored as sent: many servers state this charset for pages in others, and the parser can
    // detect it.
    expect((await buffer(body)).toString("latin1")).toBe("<h1>Köln</h1><p>Bridges and bells.</p>");
  });

  it("prefers the caller's metadata and sends only permitted headers", async () => {
    await instance.fetch(`${instance.address}/page`, {
      headers: { Authorization: "Bearer x", Host: "elsewhere" },
      metadata: { title: "Bridges", docAuthor: "Eva" },
    });
    expect(lastInput().metadata).toMatchObject({
      title: "Bridges",
      docAuthor: "Eva",
      description: "No description found.",
      chunkSource: `link://${instance.address}/page`,
    });
    expect(sent).toMatchObject({ authorization: "Bearer x", host: new URL(instance.address).host });
  });

  it.each([
    ["not a url", "BAD_INPUT", "Not a valid URL."],
    ["ftp://127.0.0.1/x", "BAD_INPUT", "Not a valid URL."],
  ])("refuses %s", async (link, kind, message) => {
    await expect(fetch(link)).rejects.toMatchObject({ kind, message });
  });

  it("reports missing and empty pages", async () => {
    await expect(fetch(`${instance.address}/nowhere`)).rejects.toMatchObject({
      kind: "LINK_UNREACHABLE",
      message: `No URL content found at ${instance.address}/nowhere.`,
    });
    await expect(fetch(`${instance.address}/empty`)).rejects.toMatchObject({
      kind: "LINK_UNREACHABLE",
      message: `No URL content found at ${instance.address}/empty.`,
    });
    await expect(fetch(`${instance.address}/large`)).rejects.toMatchObject({ kind: "TOO_LARGE" });
  });

  it("answers the caller when its outcome can't be stored", async () => {
    await instance.sql(`CREATE FUNCTION connectors.refuse() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        RAISE EXCEPTION 'refused' USING ERRCODE = '22P05';
      END
    $$`);
    await instance.sql(`CREATE TRIGGER refuse BEFORE UPDATE ON connectors.source_item
      FOR EACH ROW WHEN (NEW.state = 'fetched') EXECUTE FUNCTION connectors.refuse()`);
    try {
      await expect(fetch(`${instance.address}/page`)).rejects.toMatchObject({
        code: "request.failed",
      });
    } finally {
      await instance.sql(`DROP TRIGGER refuse ON connectors.source_item`);
    }
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
    await expect(fetch(`${instance.address}/inside`)).rejects.toMatchObject({
      kind: "LINK_REFUSED",
    });
  });
});
