import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { freePort, startOpenIdProvider, TestBrowser } from "@carrel/testing";
import { afterAll, describe, expect, it } from "@jest/globals";
import {
  useOpenIdInstance,
  redirectUri,
  provider,
  start,
  begin,
  complete,
  signIn,
  person,
  expectFailure,
} from "../../test/openid-instance.ts";

useOpenIdInstance();

describe("a provider that", () => {
  afterAll(() => start());

  it("is down or is not a provider is UNAVAILABLE with a message, and is retried on the next sign-in", async () => {
    const port = await freePort();
    await start({
      CARREL_OIDC_ISSUER: `http://127.0.0.1:${port}`,
      CARREL_OIDC_NAME: "Company login",
    });
    await expect(begin()).rejects.toMatchObject({
      kind: "UNAVAILABLE",
      message: "Company login isn't responding. Try again later.",
    });
    const back = await startOpenIdProvider({ port });
    await expect(begin()).resolves.toMatchObject({ url: expect.stringContaining(back.url) });
    await back.stop();
    await start({ CARREL_OIDC_ISSUER: `${provider.url}/nothing-here` });
    await expect(begin()).rejects.toMatchObject({ kind: "UNAVAILABLE" });
  });

  it("goes down during a sign-in is UNAVAILABLE as well", async () => {
    const brief = await startOpenIdProvider({ people: { mia: {} } });
    brief.redirectUris.add(redirectUri);
    await start(brief.environment);
    const { url, sealed } = await begin();
    const back = await new TestBrowser().signInAtProvider(url, "mia");
    await brief.stop();
    await expect(complete(back, sealed)).rejects.toMatchObject({ kind: "UNAVAILABLE" });
  });

  it("rejects our client secret produces a refusal that points to the admin", async () => {
    await start({ CARREL_OIDC_CLIENT_SECRET: "another secret" });
    await expect(signIn(person())).rejects.toMatchObject({
      kind: "UNAUTHENTICATED",
      message: expect.stringContaining("Ask an admin"),
    });
    await expectFailure("client_refused");
  });

  it("accepts the connection but never responds times out after ten seconds", async () => {
    const silent = createServer(() => undefined).listen(0, "127.0.0.1");
    await once(silent, "listening");
    await start({
      CARREL_OIDC_ISSUER: `http://127.0.0.1:${(silent.address() as AddressInfo).port}`,
    });
    const began = Date.now();
    await expect(begin()).rejects.toMatchObject({ kind: "UNAVAILABLE" });
    expect(Date.now() - began).toBeLessThan(60_000);
    silent.close();
    silent.closeAllConnections();
  });

  it("names blocked addresses or responds with garbage is UNAVAILABLE", async () => {
    interface Reply {
      status: number;
      headers?: Record<string, string>;
      body: string;
    }
    let answer: (url: string) => Reply = () => ({ status: 200, body: "" });
    const odd = createServer((incoming, response) => {
      const { status, headers, body } = answer(`http://${incoming.headers.host}`);
      response.writeHead(status, { "content-type": "application/json", ...headers }).end(body);
    }).listen(0, "127.0.0.1");
    await once(odd, "listening");
    await start({ CARREL_OIDC_ISSUER: `http://127.0.0.1:${(odd.address() as AddressInfo).port}` });
    const described = (change: Record<string, unknown>) => (url: string) => ({
      status: 200,
      body: JSON.stringify({
        issuer: url,
        authorization_endpoint: `${url}/auth`,
        token_endpoint: `${url}/token`,
        jwks_uri: `${url}/jwks`,
        code_challenge_methods_supported: ["S256"],
        ...change,
      }),
    });
    for (const change of [
      { token_endpoint: "http://169.254.169.254/latest" },
      { jwks_uri: "http://intranet.example/jwks" },
      { authorization_endpoint: "javascript:alert(1)" },
      { userinfo_endpoint: "file:///etc/passwd" },
      { token_endpoint: undefined },
      { issuer: "https://evil.example" },
      { jwks_uri: 7 },
    ]) {
      answer = described(change);
      await expect(begin()).rejects.toMatchObject({ kind: "UNAVAILABLE" });
    }
    const nonsense: Reply[] = [
      { status: 500, body: "{}" },
      { status: 200, body: "no JSON" },
      { status: 200, body: "[]" },
      { status: 200, headers: { "content-type": "text/html" }, body: "<html>" },
      { status: 302, headers: { location: provider.url }, body: "" },
    ];
    for (const reply of nonsense) {
      answer = () => reply;
      await expect(begin()).rejects.toMatchObject({ kind: "UNAVAILABLE" });
    }
    // https addresses are requested, except the cloud's metadata service.
    answer = described({ token_endpoint: "https://169.254.169.254/token" });
    const { url, sealed } = await begin();
    await expect(
      complete(`${redirectUri}?code=a&state=${new URL(url).searchParams.get("state")}`, sealed),
    ).rejects.toMatchObject({ kind: "UNAVAILABLE" });
    odd.close();
    odd.closeAllConnections();
  });

  it("is remote over http, or at a metadata address, is never contacted", async () => {
    await start({ CARREL_OIDC_ISSUER: "http://id.example.org" });
    await expect(begin()).rejects.toMatchObject({
      kind: "DISABLED",
      message: expect.stringContaining("https"),
    });
    await start({ CARREL_OIDC_ISSUER: "https://169.254.169.254" });
    await expect(begin()).rejects.toMatchObject({ kind: "UNAVAILABLE" });
  });
});
