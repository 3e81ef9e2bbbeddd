import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "@jest/globals";
import { StoreConnection } from "./store-connection.ts";

async function serve(
  answer: (url: string) => { status: number; headers?: Record<string, string>; body?: string },
) {
  const server = createServer((request, response) => {
    const { status, headers, body } = answer(request.url ?? "");
    response.writeHead(status, headers).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

describe("a connection to a vector database", () => {
  it("connects only to its own address, follows no redirects and reaches no address that serves credentials", async () => {
    const server = await serve(() => ({
      status: 307,
      headers: { location: "http://169.254.169.254/latest/meta-data" },
    }));
    const connection = new StoreConnection("Store", [server.url]);
    await expect(connection.run(() => fetch(server.url))).rejects.toMatchObject({
      name: "VectorStoreError",
      isRetryable: false,
      message: expect.stringContaining("responded with a redirect"),
    });
    await expect(connection.run(() => fetch("http://127.0.0.1:9/"))).rejects.toThrow(
      "which isn't its address",
    );
    await expect(
      new StoreConnection("Store", ["http://169.254.169.254"]).run(() =>
        fetch("http://169.254.169.254/x"),
      ),
    ).rejects.toMatchObject({
      isRetryable: false,
      message: expect.stringContaining("belongs to the cloud's metadata service"),
    });
    await server.stop();
  });

  it("reports faults in plain language, even those a client swallows, and hides secrets", async () => {
    const server = await serve((url) => ({
      status: Number(url.slice(1)),
      body: "no, not with the-secret-key",
    }));
    const connection = new StoreConnection("Store", [server.url], ["the-secret-key"]);
    const ask = (status: number) =>
      connection.run(async () => {
        const reply = await fetch(`${server.url}/${status}`).catch(() => null);
        if (!reply?.ok) throw new Error("something went wrong");
      });
    await expect(ask(403)).rejects.toMatchObject({
      isRetryable: false,
      message: "Store rejected the key (403). Check it in the settings.",
    });
    await expect(ask(429)).rejects.toMatchObject({
      isRetryable: true,
      message: "Store is rate limiting requests (429). It says: no, not with ***",
    });
    await expect(ask(503)).rejects.toMatchObject({
      isRetryable: true,
      message: "Store reported an internal error (503). It says: no, not with ***",
    });
    await expect(ask(422)).rejects.toMatchObject({
      isRetryable: false,
      message: "Store rejected the request. It says: no, not with ***",
    });
    await expect(ask(200)).resolves.toBeUndefined();
    await server.stop();
    await expect(ask(200)).rejects.toMatchObject({
      isRetryable: true,
      message: expect.stringContaining("Couldn't reach"),
    });
  });

  it("retries when the server closed an idle connection just as it was used", async () => {
    let asked = 0;
    const server = createServer((request, response) => {
      if (++asked === 1) request.socket.destroy();
      else response.end("fine");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const text = await new StoreConnection("Store", [url]).run(async () =>
      (await fetch(url)).text(),
    );
    expect([text, asked]).toEqual(["fine", 2]);
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  });
});
