import { randomUUID } from "node:crypto";
import { requestTokenBySignInToken } from "@carrel/contracts";
import { startOpenIdProvider, poll } from "@carrel/testing";
import { describe, expect, it } from "@jest/globals";
import {
  useOpenIdInstance,
  redirectUri,
  scope,
  address,
  provider,
  sql,
  running,
  start,
  request,
  begin,
  signIn,
  userOf,
  addUser,
  person,
  expectFailure,
} from "../../test/openid-instance.ts";

useOpenIdInstance();

describe("starting a sign-in", () => {
  it("redirects to the provider with code, PKCE, state and nonce, and seals the values to check", async () => {
    const { url, sealed } = await begin("/workspace/a");
    const { origin, searchParams } = new URL(url);
    expect(origin).toBe(provider.url);
    expect(Object.fromEntries(searchParams)).toEqual({
      client_id: "carrel-test",
      response_type: "code",
      redirect_uri: redirectUri,
      scope: "openid profile email",
      code_challenge_method: "S256",
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
    });
    expect(sealed).toMatch(/^v1:/);
    for (const secret of [searchParams.get("state")!, searchParams.get("nonce")!])
      expect(sealed).not.toContain(secret);
    expect((await begin()).url).not.toBe(url);
  });

  it("fetches the discovery document once", async () => {
    await Promise.all([begin(), begin(), begin()]);
    expect(
      provider.requests.filter((asked) => asked.includes("openid-configuration")),
    ).toHaveLength(1);
  });
});

describe("a person without an account", () => {
  it("gets one at the first sign-in and keeps it afterwards", async () => {
    const login = person({
      preferred_username: "Mia Müller",
      email: "Mia@Example.org",
      email_verified: true,
    });
    const first = await signIn(login, "/workspace/papers?x=1");
    expect(first).toEqual({
      token: expect.stringMatching(/([0-9A-Z]{7}-){3}[0-9A-Z]{7}$/),
      redirectTo: "/workspace/papers?x=1",
    });
    const user = await userOf(login);
    expect(user).toMatchObject({
      username: "mia-muller",
      role: "default",
      email: "mia@example.org",
      password_hash: null,
      seen_recovery_codes: true,
    });
    await poll(() => running!.logged.at(-1)).toMatchObject({
      event: "user_created",
      userId: user!.id,
      metadata: { username: "mia-muller", by: "openid", address },
    });
    provider.people.set(login, { preferred_username: "mia-the-second" });
    const second = await signIn(login);
    expect(second.redirectTo).toBeNull();
    expect(second.token).not.toBe(first.token);
    expect(await userOf(login)).toMatchObject({ id: user!.id, username: "mia-muller" });
    const tokens = await sql.query<{ hash: string; method: string; seconds: number }[]>(
      `SELECT hash, method, extract(epoch FROM expires_at - now())::float AS seconds
      FROM auth.sign_in_token
      WHERE user_id = $1`,
      [user!.id],
    );
    expect(tokens).toEqual([
      {
        hash: expect.not.stringContaining(second.token),
        method: "openid",
        seconds: expect.any(Number),
      },
    ]);
    expect(tokens[0]!.seconds).toBeGreaterThan(40);
    expect(tokens[0]!.seconds).toBeLessThanOrEqual(60);
    const enter = () => request(requestTokenBySignInToken, { token: second.token }, { scope });
    expect(await enter()).toMatchObject({
      valid: true,
      user: { id: user!.id, username: "mia-muller" },
      token: expect.any(String),
    });
    await expect(enter()).rejects.toMatchObject({ kind: "UNAUTHENTICATED" });
  });

  it("needs only an id token that contains everything", async () => {
    const generous = await startOpenIdProvider({
      claimsInIdToken: true,
      people: {
        ida: { preferred_username: "ida", email: "ida@example.org", email_verified: true },
      },
    });
    generous.redirectUris.add(redirectUri);
    await start(generous.environment);
    await signIn("ida");
    expect(await sql.query(`SELECT email FROM auth."user" WHERE username = 'ida'`)).toEqual([
      { email: "ida@example.org" },
    ]);
    expect(generous.requests).not.toContain("GET /me");
    await generous.stop();
    await start();
  });

  it("gets a number appended to a taken name, and distinct names when many arrive at once", async () => {
    for (const name of ["pair", "pair-2", "pair-3"]) {
      const login = person({ preferred_username: "pair" });
      await signIn(login);
      expect((await userOf(login))!.username).toBe(name);
    }
    const logins = Array.from({ length: 12 }, () => person({ preferred_username: "crowd" }));
    await Promise.all(logins.map((login) => signIn(login)));
    const names = await Promise.all(logins.map(async (login) => (await userOf(login))!.username));
    expect(new Set(names).size).toBe(12);
    for (const name of names) expect(name).toMatch(/^crowd(-\w+)?$/);
  });

  it("gets a single account from two concurrent first sign-ins", async () => {
    const login = person({
      preferred_username: "twin",
      email: "twin@example.org",
      email_verified: true,
    });
    await Promise.all([signIn(login), signIn(login), signIn(login)]);
    expect(await sql.query(`SELECT 1 FROM auth."user" WHERE username LIKE 'twin%'`)).toHaveLength(
      1,
    );
  });

  it("is refused with a message when sign-up is off, while existing accounts can still sign in", async () => {
    const known = person({ preferred_username: "early" });
    await signIn(known);
    await start({ CARREL_OIDC_SIGN_UP: "false" });
    await expect(signIn(person({ preferred_username: "late" }))).rejects.toMatchObject({
      kind: "UNAUTHENTICATED",
      message: expect.stringContaining("no account"),
    });
    await expectFailure("no_account");
    await signIn(known);
    expect(await sql.query(`SELECT 1 FROM auth."user" WHERE username = 'late'`)).toEqual([]);
    await start();
  });
});

describe("a local account", () => {
  it("is linked by an address the provider has verified", async () => {
    const id = await addUser({ username: "local-lea", email: "lea@example.org" });
    const login = person({
      preferred_username: "other",
      email: "LEA@example.org",
      email_verified: true,
    });
    await signIn(login);
    expect(await userOf(login)).toMatchObject({ id, username: "local-lea" });
    await poll(() => running!.logged.at(-1)).toMatchObject({
      event: "user_updated",
      userId: id,
      metadata: {
        changes: { identity: { from: null, to: { issuer: provider.url, subject: login } } },
      },
    });
  });

  it.each([[false], [undefined], ["true"]])(
    "is not linked where email_verified is %j; the new one has no address",
    async (verified) => {
      const email = `${randomUUID()}@example.org`;
      const id = await addUser({ username: `local-${randomUUID()}`, email });
      const login = person({ preferred_username: "stranger", email, email_verified: verified });
      await signIn(login);
      const user = await userOf(login);
      expect(user!.id).not.toBe(id);
      expect(user!.email).toBeNull();
    },
  );

  it("is not handed to another person at the same provider who was given its address", async () => {
    const email = "desk@example.org";
    await signIn(person({ preferred_username: "desk", email, email_verified: true }));
    await expect(
      signIn(person({ preferred_username: "next", email, email_verified: true })),
    ).rejects.toMatchObject({
      kind: "UNAUTHENTICATED",
      message: expect.stringContaining("another account"),
    });
    await expectFailure("address_of_another");
  });

  it("is refused while suspended, whether already linked or about to be", async () => {
    const login = person({ preferred_username: "sus" });
    await signIn(login);
    const { id } = (await userOf(login))!;
    await sql.query(`UPDATE auth."user" SET suspended = true WHERE id = $1`, [id]);
    await expect(signIn(login)).rejects.toMatchObject({
      kind: "UNAUTHENTICATED",
      message: expect.stringContaining("suspended"),
    });
    await poll(() => running!.logged.at(-1)).toMatchObject({
      userId: id,
      metadata: { reason: "account_suspended" },
    });
    await addUser({ username: "sus-local", email: "sus@example.org", suspended: true });
    await expect(
      signIn(person({ email: "sus@example.org", email_verified: true })),
    ).rejects.toMatchObject({ kind: "UNAUTHENTICATED" });
  });
});
