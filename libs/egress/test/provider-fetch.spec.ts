import { createServer, type Server } from "node:http";
import type { AddressInfo, LookupFunction } from "node:net";
import { createProviderFetch } from "@carrel/egress";
import { afterAll, beforeAll, expect, it } from "@jest/globals";

let server: Server;
let origin: string;
const sockets = new Set<unknown>();
beforeAll(async () => {
  server = createServer((request, response) => {
    sockets.add(request.socket);
    if (request.url === "/moved") {
      response.writeHead(302, { location: "http://127.0.0.1:2/" }).end();
      return;
    }
    if (request.url === "/silent") return;
    if (request.url === "/pause") {
      response.write("first");
      return;
    }
    response.end(JSON.stringify({ url: request.url, key: request.headers.authorization ?? null }));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(
  () =>
    new Promise<void>((done) => {
      server.closeAllConnections();
      server.close(() => done());
    }),
);

it("calls its own origin, including loopback, and reuses the connection", async () => {
  const send = createProviderFetch({ origin: `${origin}/v1` });
  for (let call = 0; call < 6; call++)
    expect(
      await (await send(`${origin}/v1/models`, { headers: { Authorization: "Bearer k" } })).json(),
    ).toEqual({ url: "/v1/models", key: "Bearer k" });
  // The second call may start before the first connection is free again.
  expect(sockets.size).toBeLessThanOrEqual(2);
});

it("never sends a key to another origin: refuses other hosts, ports and schemes", async () => {
  const send = createProviderFetch({ origin });
  for (const url of [
    "http://127.0.0.1:2/",
    origin.replace("http", "https"),
    origin.replace("127.0.0.1", "localhost"),
    "https://example.org/",
  ])
    await expect(send(url)).rejects.toMatchObject({ name: "EgressError", reason: "refused" });
});

it("refuses redirects", async () => {
  await expect(createProviderFetch({ origin })(`${origin}/moved`)).rejects.toMatchObject({
    name: "EgressError",
    reason: "refused",
  });
});

it.each([
  "http://169.254.169.254",
  "http://2852039166",
  "http://[fd00:ec2::254]",
  "http://[::ffff:169.254.169.254]",
  "http://metadata.google.internal",
  "http://100.100.100.200",
])("refuses %s", async (address) => {
  await expect(createProviderFetch({ origin: address })(`${address}/latest`)).rejects.toMatchObject(
    { name: "EgressError", reason: "refused" },
  );
});

it("refuses a name that resolves to a metadata address", async () => {
  const lookup: LookupFunction = (_host, options, callback) =>
    options.all
      ? callback(null, [{ address: "169.254.169.254", family: 4 }])
      : callback(null, "169.254.169.254", 4);
  await expect(
    createProviderFetch({ origin: "http://innocent.test", lookup })("http://innocent.test/"),
  ).rejects.toMatchObject({ cause: { name: "EgressError", reason: "refused" } });
});

it("enforces the headers and idle timeouts and the caller's signal", async () => {
  await expect(
    createProviderFetch({ origin, timeoutMs: 600 })(`${origin}/silent`),
  ).rejects.toMatchObject({ cause: { code: "UND_ERR_HEADERS_TIMEOUT" } });
  const pausing = await createProviderFetch({ origin, idleTimeoutMs: 600 })(`${origin}/pause`);
  await expect(pausing.text()).rejects.toMatchObject({
    cause: { code: "UND_ERR_BODY_TIMEOUT" },
  });
  await expect(
    createProviderFetch({ origin })(`${origin}/silent`, { signal: AbortSignal.timeout(50) }),
  ).rejects.toMatchObject({ name: "TimeoutError" });
});
