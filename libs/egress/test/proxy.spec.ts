import { createServer, type Server } from "node:http";
import { createServer as createTlsServer, request, type Server as TlsServer } from "node:https";
import type { AddressInfo, LookupFunction } from "node:net";
import { instanceShape, loadConfig } from "@carrel/config";
import {
  applyNetworkSettings,
  createContentClient,
  createNodeAgents,
  createProviderPool,
  type ContentClientOptions,
  type ProviderPool,
} from "@carrel/egress";
import { createTestAuthority, startConnectProxy, type ConnectProxy } from "@carrel/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";

const authority = createTestAuthority();
const stranger = createTestAuthority();
const publicAddress = "93.184.215.14";
const secondAddress = "2606:2800:21f::1";

let plain: Server;
let secure: TlsServer;
let proxy: ConnectProxy;
let secureProxy: ConnectProxy;
const portOf = (server: Server): number => (server.address() as AddressInfo).port;

beforeAll(async () => {
  const tls = authority.issue("site.example", "models.example", "127.0.0.1");
  const answer = (request: { headers: { host?: string } }, response: { end(text: string): void }) =>
    response.end(`from ${request.headers.host}`);
  plain = createServer((request, response) => {
    if (request.url === "/away")
      response.writeHead(302, { location: "http://10.0.0.9/secret" }).end();
    else answer(request, response);
  });
  secure = createTlsServer(tls, answer);
  for (const server of [plain, secure])
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  proxy = await startConnectProxy();
  secureProxy = await startConnectProxy(tls);
});
afterAll(async () => {
  apply({});
  await Promise.all([proxy.close(), secureProxy.close()]);
  for (const server of [plain, secure]) {
    server.closeAllConnections();
    server.close();
  }
});

/** The proxy takes public addresses and names for the two servers here. */
beforeEach(() => {
  for (const each of [proxy, secureProxy]) {
    each.asked.length = 0;
    each.answer = () => undefined;
    each.redirect = (target) => `127.0.0.1:${portOf(target.endsWith(":443") ? secure : plain)}`;
  }
});

function apply(variables: Record<string, string>): void {
  applyNetworkSettings(
    loadConfig(instanceShape, {
      DATABASE_URL: "postgres://carrel@127.0.0.1/carrel",
      REDIS_URL: "redis://127.0.0.1",
      ...variables,
    }),
  );
}
const useProxy = (more: Record<string, string> = {}): void =>
  apply({
    CARREL_CA: authority.certificate,
    CARREL_EGRESS_PROXY: `http://${proxy.address}`,
    ...more,
  });

const resolving = (addresses: string[]) => async () =>
  addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
const content = (options: ContentClientOptions = {}) =>
  createContentClient({ resolve: resolving([publicAddress]), timeoutMs: 20_000, ...options });
const lookingUp =
  (...addresses: string[]): LookupFunction =>
  (_host, _options, callback) =>
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
    );
const unknownName: LookupFunction = (_host, _options, callback) =>
  callback(Object.assign(new Error("unknown"), { code: "ENOTFOUND" }), "");
const models = (lookup = lookingUp(publicAddress), origin = "https://models.example") =>
  createProviderPool({ origin, lookup, connectTimeoutMs: 5_000 });
const post = async (pool: ProviderPool, url: string): Promise<string> => {
  const { signal } = new AbortController();
  return (await pool.post({ url: new URL(url), headers: {}, body: "{}", signal })).text();
};
const targets = (): string[] => proxy.asked.map(({ target }) => target);
const fault = (code: string, params?: object, more: object = {}) =>
  expect.objectContaining({
    ...more,
    name: "EgressError",
    fault: expect.objectContaining({
      code,
      ...(params && Object.keys(params).length > 0 && { params }),
    }),
  });

describe("certificates", () => {
  const direct = () => content({ allow: ["127.0.0.1"] });
  const page = () => `https://127.0.0.1:${portOf(secure)}/`;
  const own = () => createProviderPool({ origin: page() });

  it("accepts a private authority once it is set, and Node's own ones still", async () => {
    apply({});
    const untrusted = fault("egress.certificate-untrusted");
    await expect(direct().fetch(page())).rejects.toEqual(untrusted);
    await expect(own().fetch(page())).rejects.toMatchObject({ cause: untrusted });
    await expect(post(own(), page())).rejects.toEqual(untrusted);

    apply({ CARREL_CA: authority.certificate });
    expect((await direct().fetch(page())).status).toBe(200);
    expect((await own().fetch(page())).status).toBe(200);
    expect(await post(own(), page())).toContain("from 127.0.0.1");
  });

  it("names the host and the reason when the authority is another", async () => {
    apply({ CARREL_CA: stranger.certificate });
    await expect(direct().fetch(page())).rejects.toEqual(
      fault("egress.certificate-untrusted", {
        host: page().slice(0, -1),
        reason: expect.stringMatching(/^(UNABLE_TO|SELF_SIGNED|CERT_)/),
      }),
    );
  });

  it("doesn't accept a trusted certificate for another name", async () => {
    useProxy();
    await expect(content().fetch("https://other.example/")).rejects.toEqual(
      fault("egress.certificate-untrusted", {
        host: "https://other.example",
        reason: "ERR_TLS_CERT_ALTNAME_INVALID",
      }),
    );
  });
});

describe("content client", () => {
  it("asks the proxy for the checked address, and the server for the name", async () => {
    useProxy();
    const page = await content().fetch("https://site.example/");
    expect(page).toMatchObject({ status: 200, isPublic: true });
    expect(page.body.toString()).toBe("from site.example");
    expect((await content().fetch("http://site.example/")).body.toString()).toBe(
      "from site.example",
    );
    expect(targets()).toEqual([`${publicAddress}:443`, `${publicAddress}:80`]);
  });

  it("speaks to the proxy with TLS and credentials if told to", async () => {
    useProxy({ CARREL_EGRESS_PROXY: `https://carrel:p%40ss@${secureProxy.address}` });
    expect((await content().fetch("https://site.example/")).status).toBe(200);
    expect((await content().fetch("http://site.example/")).status).toBe(200);
    const authorization = `Basic ${Buffer.from("carrel:p@ss").toString("base64")}`;
    expect(secureProxy.asked).toEqual([
      { target: `${publicAddress}:443`, authorization },
      { target: `${publicAddress}:80`, authorization },
    ]);
  });

  it("refuses the addresses it refuses without a proxy, and asks it for nothing", async () => {
    useProxy({ CARREL_EGRESS_PROXY_EXCEPT: "wiki.example" });
    for (const address of ["10.0.0.9", "127.0.0.1", "169.254.169.254", "fd00::1", "::1"])
      await expect(
        content({ resolve: resolving([publicAddress, address]) }).fetch("https://site.example/"),
      ).rejects.toEqual(fault("egress.not-public"));
    for (const url of ["http://10.0.0.9/", "http://localhost/", "http://metadata.google.internal/"])
      await expect(content().fetch(url)).rejects.toEqual(fault("egress.not-public"));
    // An exception is about the way, not about what is allowed.
    await expect(
      content({ resolve: resolving(["10.0.0.9"]) }).fetch("https://wiki.example/"),
    ).rejects.toEqual(fault("egress.not-public"));
    await expect(content().fetch("https://site.example:6379/")).rejects.toEqual(
      fault("egress.port-refused", { port: "6379" }),
    );
    expect(targets()).toEqual([]);
  });

  it("checks where a redirect leads", async () => {
    useProxy();
    await expect(content().fetch("http://site.example/away")).rejects.toEqual(
      fault("egress.not-public"),
    );
    expect(targets()).toEqual([`${publicAddress}:80`]);
  });

  it("never uses a second answer of the resolver", async () => {
    useProxy();
    let asked = 0;
    const resolve = async () => [
      { address: ++asked === 1 ? publicAddress : "10.0.0.9", family: 4 },
    ];
    expect((await content({ resolve }).fetch("https://site.example/")).status).toBe(200);
    expect(targets()).toEqual([`${publicAddress}:443`]);
  });

  it("connects directly to exceptions and loopback, through the proxy to the rest", async () => {
    const here = `http://wiki.example:${portOf(plain)}/`;
    const wiki = (address: string, timeoutMs = 20_000) =>
      content({ allow: ["wiki.example"], resolve: resolving([address]), timeoutMs }).fetch(here);
    useProxy();
    expect((await wiki("127.0.0.1")).status).toBe(200);
    expect(targets()).toEqual([]);
    // Allowed, but not excepted.
    useProxy({ CARREL_EGRESS_PROXY_EXCEPT: "10.1.0.0/16" });
    expect((await wiki("10.2.0.1")).status).toBe(200);
    expect(targets()).toEqual([`10.2.0.1:${portOf(plain)}`]);
    for (const except of [".example", "*.example", "wiki.example", "private"]) {
      useProxy({ CARREL_EGRESS_PROXY_EXCEPT: except });
      // Nothing is there; it may take long to find out.
      await expect(wiki("10.255.255.1", 300)).rejects.toMatchObject({
        fault: { code: expect.stringMatching(/^egress\.(unreachable|timed-out)$/) },
      });
    }
    expect(targets()).toHaveLength(1);
  });

  it("tries another address when the proxy can't connect to one", async () => {
    useProxy();
    proxy.answer = (target) => (target.startsWith("[") ? undefined : 502);
    const resolve = resolving([secondAddress, publicAddress]);
    expect((await content({ resolve }).fetch("https://site.example/")).status).toBe(200);
    expect(targets()).toEqual([`${publicAddress}:443`, `[${secondAddress}]:443`]);
  });
});

describe("names that the proxy resolves", () => {
  const unknown = async () => {
    throw new Error("unknown");
  };
  it("are refused by default", async () => {
    useProxy();
    await expect(content({ resolve: unknown }).fetch("https://site.example/")).rejects.toEqual(
      fault("egress.host-unknown"),
    );
    await expect(models(unknownName).fetch("https://models.example/")).rejects.toMatchObject({
      cause: { code: "ENOTFOUND" },
    });
    expect(targets()).toEqual([]);
  });

  it("reach it as names, but not those that resolve to a refused address here", async () => {
    useProxy({ CARREL_EGRESS_PROXY_DNS: "proxy" });
    for (const resolve of [unknown, resolving([publicAddress])])
      expect(await content({ resolve }).fetch("https://site.example/")).toMatchObject({
        status: 200,
        isPublic: true,
      });
    expect(await post(models(unknownName), "https://models.example/")).toBe("from models.example");
    expect(targets()).toEqual(["site.example:443", "site.example:443", "models.example:443"]);
    await expect(
      content({ resolve: resolving(["10.0.0.9"]) }).fetch("https://site.example/"),
    ).rejects.toEqual(fault("egress.not-public"));
    await expect(
      models(lookingUp("169.254.169.254")).fetch("https://models.example/"),
    ).rejects.toMatchObject({ cause: fault("egress.metadata-address") });
    expect(targets()).toHaveLength(3);
  });
});

describe("provider client", () => {
  it("goes through the proxy with fetch and with paced replies", async () => {
    useProxy();
    for (const origin of ["https://models.example", "http://models.example"]) {
      const pool = models(undefined, origin);
      expect(await (await pool.fetch(`${origin}/v1/models`)).text()).toBe("from models.example");
      expect(await post(pool, `${origin}/v1/chat`)).toBe("from models.example");
    }
    expect(new Set(targets())).toEqual(new Set([`${publicAddress}:443`, `${publicAddress}:80`]));
  });

  it("refuses a metadata service's address and other origins through the proxy", async () => {
    useProxy();
    await expect(
      models(lookingUp("169.254.169.254")).fetch("https://models.example/"),
    ).rejects.toMatchObject({ cause: fault("egress.metadata-address") });
    await expect(models().fetch("https://other.example/")).rejects.toEqual(
      fault("egress.other-origin"),
    );
    expect(targets()).toEqual([]);
  });

  it("connects to a model on this machine directly", async () => {
    useProxy();
    const origin = `http://localhost:${portOf(plain)}`;
    expect(await post(createProviderPool({ origin }), `${origin}/v1/chat`)).toContain("localhost");
    expect(targets()).toEqual([]);
  });
});

it("serves Node's HTTP client", async () => {
  useProxy();
  const { httpsAgent: agent } = createNodeAgents(5_000);
  const status = await new Promise<number | undefined>((resolve, reject) => {
    const headers = { host: "models.example" };
    request(
      { host: publicAddress, servername: "models.example", port: 443, agent, headers },
      (reply) => {
        reply.resume();
        resolve(reply.statusCode);
      },
    )
      .on("error", reject)
      .end();
  });
  agent.destroy();
  expect(status).toBe(200);
  expect(targets()).toEqual([`${publicAddress}:443`]);
});

describe("a proxy that doesn't connect", () => {
  it.each([403, 407])("is named with its status %i, which isn't retried", async (status) => {
    useProxy();
    proxy.answer = () => status;
    const params = { host: "site.example", status: String(status) };
    await expect(content().fetch("https://site.example/")).rejects.toEqual(
      fault("egress.proxy-refused", params, { isRetryable: false }),
    );
    await expect(post(models(), "https://models.example/")).rejects.toEqual(
      fault("egress.proxy-refused", { host: "models.example", status: String(status) }),
    );
    expect(proxy.asked).toHaveLength(2);
  });

  it("is named when it is down, without its address or credentials", async () => {
    const gone = await startConnectProxy();
    await gone.close();
    useProxy({ CARREL_EGRESS_PROXY: `http://carrel:secret-word@${gone.address}` });
    const down = fault("egress.proxy-unreachable", {}, { isRetryable: true });
    for (const attempt of [
      () => content().fetch("https://site.example/"),
      () => post(models(), "https://models.example/"),
    ]) {
      const error = (await attempt().catch((caught: unknown) => caught)) as Error;
      expect(error).toEqual(down);
      expect(error.message).not.toContain(gone.address);
      expect(JSON.stringify(error) + String(error.cause)).not.toContain("secret-word");
    }
  });

  it("isn't trusted with a certificate of another authority", async () => {
    useProxy({
      CARREL_CA: stranger.certificate,
      CARREL_EGRESS_PROXY: `https://${secureProxy.address}`,
    });
    await expect(content().fetch("https://site.example/")).rejects.toEqual(
      fault("egress.certificate-untrusted"),
    );
  });
});
