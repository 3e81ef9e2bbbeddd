import {
  createHmac,
  createPublicKey,
  createSign,
  generateKeyPairSync,
  type JsonWebKey,
} from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { readTokenClaims, startOpenIdProvider, TestBrowser } from "@carrel/testing";
import { afterAll, describe, expect, it } from "@jest/globals";
import {
  addUser,
  begin,
  complete,
  expectFailure,
  person,
  provider,
  redirectUri,
  signIn,
  sql,
  start,
  useOpenIdInstance,
  userOf,
} from "../../test/openid-instance.ts";

useOpenIdInstance();

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");
const refused = { kind: "UNAUTHENTICATED" };

describe("an attacker who controls the id token", () => {
  const attacker = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const publicJwk = attacker.publicKey.export({ format: "jwk" });
  const signed = (header: object, claims: object): string => {
    const content = `${encode(header)}.${encode(claims)}`;
    const signature = createSign("RSA-SHA256").update(content).sign(attacker.privateKey);
    return `${content}.${signature.toString("base64url")}`;
  };
  const forge = async (make: (claims: Record<string, unknown>) => string | Promise<string>) => {
    const admin = person({ preferred_username: "forged" });
    const { url, sealed } = await begin();
    const callback = await new TestBrowser().signInAtProvider(url, admin);
    let token = "";
    provider.onToken = (body) => ({ ...body, id_token: token || body.id_token });
    const nonce = new URL(url).searchParams.get("nonce");
    const now = Math.floor(Date.now() / 1000);
    token = await make({
      iss: provider.url,
      aud: provider.environment.CARREL_OIDC_CLIENT_ID,
      sub: admin,
      nonce,
      iat: now,
      exp: now + 600,
    });
    return { admin, outcome: complete(callback, sealed) };
  };
  const expectRefusal = async (make: Parameters<typeof forge>[0]): Promise<void> => {
    const { admin, outcome } = await forge(make);
    await expect(outcome).rejects.toMatchObject(refused);
    await expectFailure("answer_refused");
    expect(await userOf(admin)).toBeUndefined();
  };

  it("gets in with the provider's key, which shows that the other attempts fail by their change", async () => {
    const { admin, outcome } = await forge((claims) => provider.signToken(claims));
    await expect(outcome).resolves.toMatchObject({ token: expect.any(String) });
    expect(await userOf(admin)).toBeDefined();
  });

  it("can't use the provider's public key or the client secret as a shared key", async () => {
    const { keys } = (await (await new TestBrowser().get(`${provider.url}/jwks`)).json()) as {
      keys: JsonWebKey[];
    };
    const publicKey = createPublicKey({ key: keys[0]!, format: "jwk" });
    for (const secret of [
      publicKey.export({ type: "spki", format: "pem" }),
      publicKey.export({ type: "pkcs1", format: "pem" }),
      provider.environment.CARREL_OIDC_CLIENT_SECRET!,
    ])
      await expectRefusal((claims) => {
        const content = `${encode({ alg: "HS256", typ: "JWT", kid: "test-key" })}.${encode(claims)}`;
        return `${content}.${createHmac("sha256", secret).update(content).digest("base64url")}`;
      });
  });

  it("can't bring a key along, or have one fetched", async () => {
    let fetched = 0;
    const keys = createServer((_request, response) => {
      fetched += 1;
      response.end(JSON.stringify({ keys: [{ ...publicJwk, kid: "mine" }] }));
    }).listen(0, "127.0.0.1");
    await once(keys, "listening");
    const jku = `http://127.0.0.1:${(keys.address() as AddressInfo).port}`;
    for (const header of [
      { alg: "RS256", jwk: publicJwk },
      { alg: "RS256", kid: "mine", jku },
      { alg: "RS256", kid: "mine", x5u: jku },
      { alg: "RS256", kid: "../../test-key" },
    ])
      await expectRefusal((claims) => signed(header, claims));
    expect(fetched).toBe(0);
    keys.close();
    keys.closeAllConnections();
  });

  it.each(["none", "None", "NONE", "nOnE", ""])("can't use the algorithm %j", async (alg) => {
    await expectRefusal((claims) => `${encode({ alg })}.${encode(claims)}.`);
  });

  it("can't replay the id token of an earlier sign-in", async () => {
    const mallory = person({ preferred_username: "replayed" });
    let earlier = "";
    provider.onToken = (body) => {
      earlier = body.id_token;
      return body;
    };
    await signIn(mallory);
    provider.onToken = (body) => ({ ...body, id_token: earlier });
    expect(readTokenClaims(earlier)).toMatchObject({ sub: mallory });
    await expect(signIn(mallory)).rejects.toMatchObject(refused);
    await expectFailure("answer_refused");
  });

  it.each([
    ["not valid yet", { nbf: 4_000_000_000 }],
    ["without an expiry", { exp: undefined }],
    ["for other clients too, without saying which is authorised", { aud: ["carrel-test", "x"] }],
  ])("can't use a token %s", async (_name, change) => {
    await expectRefusal((claims) => provider.signToken({ ...claims, ...change }));
  });
});

describe("an attacker at another provider", () => {
  afterAll(() => start());

  it("can't use its id token or code here, even for the same subject and client", async () => {
    const subject = person({ preferred_username: "target" });
    await signIn(subject);
    const evil = await startOpenIdProvider({ people: { [subject]: {} } });
    evil.redirectUris.add(redirectUri);
    const { url, sealed } = await begin();
    // The attacker opens our request at their own provider, and brings the code back here.
    const elsewhere = new URL(url.replace(provider.url, evil.url));
    const back = new URL(await new TestBrowser().signInAtProvider(elsewhere.href, subject));
    expect(back.searchParams.get("iss")).toBe(evil.url);
    await expect(complete(back.href, sealed)).rejects.toMatchObject(refused);
    await expectFailure("answer_refused");
    back.searchParams.set("iss", provider.url);
    await expect(complete(back.href, sealed)).rejects.toMatchObject(refused);
    await expectFailure("code_refused");
    back.searchParams.delete("iss");
    await expect(complete(back.href, sealed)).rejects.toMatchObject(refused);
    provider.onToken = (body) => ({
      ...body,
      id_token: evil.signToken({ ...readTokenClaims(body.id_token), iss: evil.url }),
    });
    await expect(signIn(subject)).rejects.toMatchObject(refused);
    await expectFailure("answer_refused");
    await evil.stop();
    expect(
      await sql.query("SELECT 1 FROM auth.identity WHERE issuer <> $1", [provider.url]),
    ).toEqual([]);
  });

  it("has other accounts than the same subjects at the first provider", async () => {
    const subject = person({ preferred_username: "same-subject" });
    await signIn(subject);
    const first = await userOf(subject);
    const second = await startOpenIdProvider({ people: { [subject]: {} } });
    second.redirectUris.add(redirectUri);
    await start(second.environment);
    const { url, sealed } = await begin();
    await complete(await new TestBrowser().signInAtProvider(url, subject), sealed);
    await second.stop();
    const linked = await sql.query<{ issuer: string; user_id: number }[]>(
      "SELECT issuer, user_id FROM auth.identity WHERE subject = $1",
      [subject],
    );
    expect(linked).toHaveLength(2);
    expect(linked.filter(({ user_id }) => user_id === first!.id)).toEqual([
      { issuer: provider.url, user_id: first!.id },
    ]);
  });
});

describe("an attacker who modifies the request", () => {
  it("can't have the code sent elsewhere", async () => {
    const login = person();
    const { url, sealed } = await begin();
    const tampered = new URL(url);
    tampered.searchParams.set("redirect_uri", "https://evil.example/callback");
    await expect(new TestBrowser().signInAtProvider(tampered.href, login)).rejects.toThrow();
    // Even at a provider that accepts the address, the code is useless: it belongs to that address.
    const other = "http://127.0.0.1:9/other";
    provider.redirectUris.add(other);
    tampered.searchParams.set("redirect_uri", other);
    const back = new URL(await new TestBrowser().signInAtProvider(tampered.href, login));
    expect(back.href).toContain(other);
    await expect(complete(`${redirectUri}${back.search}`, sealed)).rejects.toMatchObject(refused);
    await expectFailure("code_refused");
    provider.redirectUris.delete(other);
  });

  it("can't remove or weaken PKCE", async () => {
    const login = person();
    const { url } = await begin();
    expect(new URL(url).searchParams.get("code_challenge_method")).toBe("S256");
    const theirs = new URL(url);
    theirs.searchParams.set("code_challenge", "a".repeat(43));
    const mine = await begin();
    const back = new URL(await new TestBrowser().signInAtProvider(theirs.href, login));
    back.searchParams.set("state", new URL(mine.url).searchParams.get("state")!);
    await expect(complete(back.href, mine.sealed)).rejects.toMatchObject(refused);
    await expectFailure("code_refused");
  });

  it("can't use the state, nonce or code verifier of another sign-in: they never repeat", async () => {
    const begun = await Promise.all(Array.from({ length: 5 }, () => begin()));
    for (const name of ["state", "nonce", "code_challenge"]) {
      const values = begun.map(({ url }) => new URL(url).searchParams.get(name)!);
      expect(new Set(values).size).toBe(5);
      for (const value of values) expect(value.length).toBeGreaterThanOrEqual(43);
    }
  });
});

describe("an attacker who controls userinfo", () => {
  it("can't answer for another person, or verify an address that the id token doesn't name", async () => {
    const victim = await addUser({ username: "victim", email: "victim@example.org" });
    const login = person({ email: "attacker@example.org", email_verified: true });
    provider.onUserinfo = (body) => ({ ...body, sub: "the-admin" });
    await expect(signIn(login)).rejects.toMatchObject(refused);
    await expectFailure("answer_refused");
    provider.onUserinfo = (body) => ({ ...body, email_verified: true });
    provider.onToken = (body) => ({
      ...body,
      id_token: provider.signToken({
        ...readTokenClaims(body.id_token),
        email: "victim@example.org",
      }),
    });
    await signIn(login);
    expect(await userOf(login)).toMatchObject({ email: null });
    expect((await userOf(login))!.id).not.toBe(victim);
  });

  it.each([
    "victim2@example.org\u0000",
    " victim2@example.org,attacker@example.org",
    "victim2@exаmple.org",
    "Victim2@Example.Org.",
  ])("can't pass %j off as someone's address", async (email) => {
    const found = await sql.query<{ id: number }[]>(
      `SELECT id FROM auth."user" WHERE email = 'victim2@example.org'`,
    );
    const id =
      found[0]?.id ?? (await addUser({ username: "victim2", email: "victim2@example.org" }));
    const login = person({ email, email_verified: true });
    await signIn(login);
    expect((await userOf(login))!.id).not.toBe(id);
  });
});
