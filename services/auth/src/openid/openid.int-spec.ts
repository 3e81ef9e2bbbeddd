import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { instanceShape, loadConfig, type InstanceConfig } from "@carrel/config";
import {
  beginOpenId,
  completeOpenId,
  publicPrincipal,
  requestTokenBySignInToken,
  type EventPayload,
  type eventLogged,
  type Scope,
} from "@carrel/contracts";
import {
  createSharedInfrastructure,
  startService,
  type RunningService,
  type SharedInfrastructure,
} from "@carrel/runtime";
import {
  eventually,
  freePort,
  readTokenClaims,
  startOpenIdProvider,
  startTestRedis,
  TestBrowser,
  testDatabase,
  type TestDatabase,
  type TestOpenIdProvider,
  type TestRedis,
} from "@carrel/testing";
import { DataSource } from "typeorm";
import { authService } from "../auth.service-definition.ts";

const redirectUri = "http://127.0.0.1:9/api/auth/openid/callback";
const scope: Scope = { principal: publicPrincipal, workspace: null };
const address = "192.0.2.7";
const home = mkdtempSync(join(tmpdir(), "carrel-openid-"));
let [database, redis, provider, sql] = [] as unknown as [
  TestDatabase,
  TestRedis,
  TestOpenIdProvider,
  DataSource,
];
let running: {
  service: RunningService;
  shared: SharedInfrastructure;
  logged: EventPayload<typeof eventLogged>[];
} | null = null;

beforeAll(async () => {
  [database, redis, provider] = await Promise.all([
    testDatabase(),
    startTestRedis({ appendonly: false }),
    startOpenIdProvider(),
  ]);
  provider.redirectUris.add(redirectUri);
  await start();
  sql = await new DataSource({ type: "postgres", url: database.url }).initialize();
  await sql.query(`update auth.instance_access set mode = 'multi'`);
  // Accounts require a first admin.
  await sql.query(`insert into auth."user" (username, role) values ('the-admin', 'admin')`);
});
afterEach(() => {
  provider.onToken = null;
});
afterAll(async () => {
  await stop();
  await sql.destroy();
  await Promise.all([database.drop(), redis.stop(), provider.stop()]);
  rmSync(home, { recursive: true, force: true });
});

/** Starts the service with extra variables on top of the provider's. */
async function start(environment: Record<string, string> = {}): Promise<void> {
  await stop();
  const shape: typeof instanceShape = Object.assign({}, authService.shape, instanceShape);
  const config: InstanceConfig = loadConfig(shape, {
    DATABASE_URL: database.url,
    REDIS_URL: redis.url,
    CARREL_HOME: home,
    CARREL_LOG_LEVEL: "silent",
    ...provider.environment,
    ...environment,
  });
  const shared = createSharedInfrastructure(config);
  const logged: EventPayload<typeof eventLogged>[] = [];
  shared.messaging.broadcast.on("event:event.logged", (payload) =>
    logged.push(payload as EventPayload<typeof eventLogged>),
  );
  running = {
    service: await startService(authService, config, { shared, healthPort: false }),
    shared,
    logged,
  };
}
async function stop(): Promise<void> {
  await running?.service.stop();
  await running?.shared.close();
  running = null;
}

const request: SharedInfrastructure["messaging"]["client"]["request"] = (
  operation,
  input,
  options,
) => running!.shared.messaging.client.request(operation, input, options);
const begin = (redirectTo: string | null = null) =>
  request(beginOpenId, { redirectUri, redirectTo }, { scope });
const complete = (callbackUrl: string, sealed: string) =>
  request(completeOpenId, { callbackUrl, sealed, address }, { scope });
/** A complete sign-in except for the cookie, which the gateway keeps. */
async function signIn(
  login: string | null,
  redirectTo: string | null = null,
): Promise<{ token: string; redirectTo: string | null }> {
  const { url, sealed } = await begin(redirectTo);
  return complete(await new TestBrowser().signInAtProvider(url, login), sealed);
}
interface Row {
  id: number;
  username: string;
  role: string;
  email: string | null;
  password_hash: string | null;
  seen_recovery_codes: boolean;
}
const userOf = async (subject: string): Promise<Row | undefined> =>
  (
    await sql.query<Row[]>(
      `select u.* from auth."user" u join auth.identity i on i.user_id = u.id where i.subject = $1 and i.issuer = $2`,
      [subject, provider.url],
    )
  )[0];
const addUser = async (values: {
  username: string;
  email?: string;
  role?: string;
  suspended?: boolean;
}): Promise<number> =>
  (
    await sql.query<{ id: number }[]>(
      `insert into auth."user" (username, email, role, suspended) values ($1, $2, $3, $4) returning id`,
      [values.username, values.email ?? null, values.role ?? "default", values.suspended ?? false],
    )
  )[0]!.id;
const person = (claims: Record<string, unknown> = {}): string => {
  const login = `person-${randomUUID()}`;
  provider.people.set(login, claims);
  return login;
};
/** The event log contains the refusal and no secret. */
const expectFailure = (reason: string) =>
  eventually(() =>
    expect(running!.logged.at(-1)).toMatchObject({
      event: "failed_login_openid",
      metadata: { reason, address },
    }),
  );

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
    await eventually(() =>
      expect(running!.logged.at(-1)).toMatchObject({
        event: "user_created",
        userId: user!.id,
        metadata: { username: "mia-muller", by: "openid", address },
      }),
    );
    provider.people.set(login, { preferred_username: "mia-the-second" });
    const second = await signIn(login);
    expect(second.redirectTo).toBeNull();
    expect(second.token).not.toBe(first.token);
    expect(await userOf(login)).toMatchObject({ id: user!.id, username: "mia-muller" });
    const tokens = await sql.query<{ hash: string; method: string; seconds: number }[]>(
      `select hash, method, extract(epoch from expires_at - now())::float as seconds from auth.sign_in_token where user_id = $1`,
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
    await expect(enter()).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
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
    expect(await sql.query(`select email from auth."user" where username = 'ida'`)).toEqual([
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
    expect(await sql.query(`select 1 from auth."user" where username like 'twin%'`)).toHaveLength(
      1,
    );
  });

  it("is refused with a message when sign-up is off, while existing accounts can still sign in", async () => {
    const known = person({ preferred_username: "early" });
    await signIn(known);
    await start({ CARREL_OIDC_SIGN_UP: "false" });
    await expect(signIn(person({ preferred_username: "late" }))).rejects.toMatchObject({
      code: "UNAUTHENTICATED",
      message: expect.stringContaining("no account"),
    });
    await expectFailure("no_account");
    await signIn(known);
    expect(await sql.query(`select 1 from auth."user" where username = 'late'`)).toEqual([]);
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
    await eventually(() =>
      expect(running!.logged.at(-1)).toMatchObject({
        event: "user_updated",
        userId: id,
        metadata: {
          changes: { identity: { from: null, to: { issuer: provider.url, subject: login } } },
        },
      }),
    );
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
      code: "UNAUTHENTICATED",
      message: expect.stringContaining("somebody else"),
    });
    await expectFailure("address_of_another");
  });

  it("is refused while suspended, whether already linked or about to be", async () => {
    const login = person({ preferred_username: "sus" });
    await signIn(login);
    const { id } = (await userOf(login))!;
    await sql.query(`update auth."user" set suspended = true where id = $1`, [id]);
    await expect(signIn(login)).rejects.toMatchObject({
      code: "UNAUTHENTICATED",
      message: expect.stringContaining("suspended"),
    });
    await eventually(() =>
      expect(running!.logged.at(-1)).toMatchObject({
        userId: id,
        metadata: { reason: "account_suspended" },
      }),
    );
    await addUser({ username: "sus-local", email: "sus@example.org", suspended: true });
    await expect(
      signIn(person({ email: "sus@example.org", email_verified: true })),
    ).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
  });
});

describe("roles from a claim", () => {
  const values = {
    CARREL_OIDC_ROLE_CLAIM: "groups",
    CARREL_OIDC_ADMIN_VALUES: "boss",
    CARREL_OIDC_MANAGER_VALUES: "lead",
    CARREL_OIDC_USER_VALUES: "staff",
  };
  beforeAll(() => start(values));
  afterAll(() => start());

  it("are assigned at sign-up, updated at each sign-in, and announced to every cache", async () => {
    const changes: unknown[] = [];
    running!.shared.messaging.broadcast.on("event:access.changed", (payload) =>
      changes.push(payload),
    );
    const login = person({ preferred_username: "rola", groups: ["staff"] });
    await signIn(login);
    const { id, role } = (await userOf(login))!;
    expect(role).toBe("default");
    await sleep(50);
    expect(changes).toEqual([]);
    for (const [groups, from, to] of [
      [["lead"], "default", "manager"],
      ["boss", "manager", "admin"],
      [["staff", "x"], "admin", "default"],
    ] as const) {
      provider.people.set(login, { groups });
      await signIn(login);
      expect((await userOf(login))!.role).toBe(to);
      expect(changes).toContainEqual({ userId: id });
      await eventually(() =>
        expect(running!.logged.at(-1)).toMatchObject({
          event: "user_updated",
          userId: id,
          metadata: { changes: { role: { from, to } }, by: "openid" },
        }),
      );
    }
  });

  it("refuse people without a matching value, at sign-up and later, and leave the account unchanged", async () => {
    await expect(signIn(person({ groups: ["guests"] }))).rejects.toMatchObject({
      code: "UNAUTHENTICATED",
      message: expect.stringContaining("no access"),
    });
    await expectFailure("role_refused");
    const login = person({ preferred_username: "leaver", groups: ["lead"] });
    await signIn(login);
    provider.people.set(login, {});
    await expect(signIn(login)).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
    expect((await userOf(login))!.role).toBe("manager");
  });

  it("never demote the last admin, and keep one of two admins demoted at once", async () => {
    const logins = [
      person({ preferred_username: "adm-a", groups: ["boss"] }),
      person({ preferred_username: "adm-b", groups: ["boss"] }),
    ];
    for (const login of logins) await signIn(login);
    await sql.query(
      `update auth."user" set role = 'default' where username not in ('adm-a', 'adm-b')`,
    );
    for (const login of logins) provider.people.set(login, { groups: ["staff"] });
    await Promise.all(logins.map((login) => signIn(login)));
    const roles = await Promise.all(logins.map(async (login) => (await userOf(login))!.role));
    expect(roles.sort()).toEqual(["admin", "default"]);
    for (const login of logins) await signIn(login);
    expect(await sql.query(`select 1 from auth."user" where role = 'admin'`)).toHaveLength(1);
    await sql.query(`update auth."user" set role = 'admin' where username = 'the-admin'`);
  });
});

describe("a sign-in", () => {
  const codeless = (sealed: string, callback = `${redirectUri}?code=x&state=y`) =>
    complete(callback, sealed);

  it("is refused with a forged or modified cookie, or one older than ten minutes", async () => {
    const { url, sealed } = await begin();
    const back = await new TestBrowser().signInAtProvider(url, person());
    const old = running!.shared.secretBox.seal(
      JSON.stringify({
        ...(JSON.parse(running!.shared.secretBox.open(sealed)) as object),
        expiresAt: Date.now() - 1,
      }),
    );
    const foreign = running!.shared.secretBox.seal('"a secret of another kind"');
    for (const cookie of ["", "x", "v1:a:b:c:d", `${sealed.slice(0, -3)}AAA`, foreign]) {
      await expect(complete(back, cookie)).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
      await expectFailure("not_begun");
    }
    await expect(complete(back, old)).rejects.toMatchObject({
      code: "UNAUTHENTICATED",
      message: expect.stringContaining("ten minutes"),
    });
    await expectFailure("expired");
  });

  it("is refused with a wrong, missing or duplicate state, before any request to the provider", async () => {
    const { url, sealed } = await begin();
    const back = new URL(await new TestBrowser().signInAtProvider(url, person()));
    const asked = provider.requests.length;
    const [wrong, missing, twice] = [new URL(back), new URL(back), new URL(back)];
    wrong.searchParams.set("state", new URL((await begin()).url).searchParams.get("state")!);
    missing.searchParams.delete("state");
    twice.searchParams.append("state", twice.searchParams.get("state")!);
    for (const callback of [wrong, missing, twice]) {
      await expect(complete(callback.href, sealed)).rejects.toMatchObject({
        code: "UNAUTHENTICATED",
        message: expect.stringContaining("does not belong"),
      });
      await expectFailure("state_mismatch");
    }
    await expect(codeless(sealed)).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
    expect(provider.requests.length).toBe(asked);
  });

  it("is refused with a callback that was already used", async () => {
    const { url, sealed } = await begin();
    const back = await new TestBrowser().signInAtProvider(url, person());
    await complete(back, sealed);
    await expect(complete(back, sealed)).rejects.toMatchObject({
      code: "UNAUTHENTICATED",
      message: expect.stringContaining("used already"),
    });
    await expectFailure("code_refused");
  });

  it("is refused with someone else's code (PKCE)", async () => {
    const [mine, theirs] = [await begin(), await begin()];
    const back = new URL(await new TestBrowser().signInAtProvider(theirs.url, person()));
    back.searchParams.set("state", new URL(mine.url).searchParams.get("state")!);
    await expect(complete(back.href, mine.sealed)).rejects.toMatchObject({
      code: "UNAUTHENTICATED",
    });
    await expectFailure("code_refused");
    const plain = new URL((await begin()).url);
    plain.searchParams.delete("code_challenge");
    const refused = new URL(await new TestBrowser().signInAtProvider(plain.href, person()));
    expect(refused.searchParams.get("error")).toBe("invalid_request");
  });

  it("is refused with a callback from another issuer (mix-up attack)", async () => {
    const { url, sealed } = await begin();
    const back = new URL(await new TestBrowser().signInAtProvider(url, person()));
    back.searchParams.set("iss", "https://evil.example");
    await expect(complete(back.href, sealed)).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
    await expectFailure("answer_refused");
  });

  const now = () => Math.floor(Date.now() / 1000);
  it.each<
    [
      string,
      (claims: Record<string, unknown>) => [Record<string, unknown>, "own" | "other" | "none"],
    ]
  >([
    ["signed by another key", (claims) => [claims, "other"]],
    ["not signed", (claims) => [claims, "none"]],
    ["of another issuer", (claims) => [{ ...claims, iss: "https://evil.example" }, "own"]],
    ["for another client", (claims) => [{ ...claims, aud: "somebody-else" }, "own"]],
    [
      "for two clients and authorised for the other",
      (claims) => [
        { ...claims, aud: ["carrel-test", "somebody-else"], azp: "somebody-else" },
        "own",
      ],
    ],
    ["that is over", (claims) => [{ ...claims, iat: now() - 900, exp: now() - 300 }, "own"]],
    ["with another nonce", (claims) => [{ ...claims, nonce: "another" }, "own"]],
    ["without a nonce", ({ nonce: _nonce, ...claims }) => [claims, "own"]],
    ["without a subject", ({ sub: _sub, ...claims }) => [claims, "own"]],
  ])("is refused with an id token %s", async (_name, change) => {
    provider.onToken = (body) => ({
      ...body,
      id_token: provider.signToken(...change(readTokenClaims(body.id_token))),
    });
    const login = person({ preferred_username: "forged" });
    await expect(signIn(login)).rejects.toMatchObject({
      code: "UNAUTHENTICATED",
      message: expect.stringContaining("could not be verified"),
    });
    await expectFailure("answer_refused");
    expect(await userOf(login)).toBeUndefined();
  });

  it("is refused with a modified or missing id token", async () => {
    provider.onToken = (body) => {
      const [header, , signature] = body.id_token.split(".");
      return {
        ...body,
        id_token: [
          header,
          Buffer.from(
            JSON.stringify({ ...readTokenClaims(body.id_token), sub: "the-admin" }),
          ).toString("base64url"),
          signature,
        ].join("."),
      };
    };
    await expect(signIn(person())).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
    await expectFailure("answer_refused");
    provider.onToken = ({ id_token: _token, ...body }) => body;
    await expect(signIn(person())).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
  });

  it("succeeds when the same hook signs with the right key", async () => {
    provider.onToken = (body) => ({
      ...body,
      id_token: provider.signToken(readTokenClaims(body.id_token)),
    });
    await expect(signIn(person())).resolves.toMatchObject({ redirectTo: null });
  });

  it("is refused with a message when the person cancels, and on any other provider error", async () => {
    await expect(signIn(null)).rejects.toMatchObject({
      code: "UNAUTHENTICATED",
      message: "The sign-in with OpenID was cancelled or refused.",
    });
    await expectFailure("access_denied");
    const { url, sealed } = await begin();
    const state = new URL(url).searchParams.get("state")!;
    for (const rest of [
      "error=server_error",
      "error=%00%0a<script>",
      "error=",
      "",
      "code=",
      "code=a&code=b",
      "code=%F0%28%8C%BC",
      `code=${"x".repeat(8_000)}`,
      "response=a.b.c",
    ]) {
      const callback = `${redirectUri}?${new URLSearchParams({ state, iss: provider.url })}&${rest}`;
      await expect(complete(callback, sealed)).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
    }
  });

  it("is refused after a hundred failed attempts from the address", async () => {
    const { sealed } = await begin();
    const wrong = () =>
      request(
        completeOpenId,
        { callbackUrl: `${redirectUri}?code=a&state=b`, sealed, address: "198.51.100.9" },
        { scope },
      ).then(
        () => "in",
        (error: { code: string }) => error.code,
      );
    const codes: string[] = [];
    for (let round = 0; round < 8; round += 1)
      codes.push(...(await Promise.all(Array.from({ length: 15 }, wrong))));
    expect(codes.slice(0, 90).every((code) => code === "UNAUTHENTICATED")).toBe(true);
    expect(codes.slice(-10).every((code) => code === "TOO_MANY_ATTEMPTS")).toBe(true);
    await expect(signIn(person())).resolves.toMatchObject({ redirectTo: null });
  });

  it("never puts a token in the event log", () => {
    const text = JSON.stringify(running!.logged);
    for (const secret of ["code=", "v1:", "eyJ"]) expect(text).not.toContain(secret);
  });
});

describe("the redirect target", () => {
  it.each([
    "//evil.example",
    "/\\evil.example",
    "https://evil.example",
    "/..//evil.example",
    "/sso/simple?token=x",
  ])("%s is dropped", async (redirectTo) => {
    expect((await signIn(person(), redirectTo)).redirectTo).toBeNull();
  });
});

describe("a provider that", () => {
  afterAll(() => start());

  it("is down or is not a provider is UNAVAILABLE with a message, and is retried on the next sign-in", async () => {
    const port = await freePort();
    await start({
      CARREL_OIDC_ISSUER: `http://127.0.0.1:${port}`,
      CARREL_OIDC_NAME: "Company login",
    });
    await expect(begin()).rejects.toMatchObject({
      code: "UNAVAILABLE",
      message: "Company login does not answer at the moment. Try again later.",
    });
    const back = await startOpenIdProvider({ port });
    await expect(begin()).resolves.toMatchObject({ url: expect.stringContaining(back.url) });
    await back.stop();
    await start({ CARREL_OIDC_ISSUER: `${provider.url}/nothing-here` });
    await expect(begin()).rejects.toMatchObject({ code: "UNAVAILABLE" });
  });

  it("goes down during a sign-in is UNAVAILABLE as well", async () => {
    const brief = await startOpenIdProvider({ people: { mia: {} } });
    brief.redirectUris.add(redirectUri);
    await start(brief.environment);
    const { url, sealed } = await begin();
    const back = await new TestBrowser().signInAtProvider(url, "mia");
    await brief.stop();
    await expect(complete(back, sealed)).rejects.toMatchObject({ code: "UNAVAILABLE" });
  });

  it("rejects our client secret produces a refusal that points to the admin", async () => {
    await start({ CARREL_OIDC_CLIENT_SECRET: "another secret" });
    await expect(signIn(person())).rejects.toMatchObject({
      code: "UNAUTHENTICATED",
      message: expect.stringContaining("administrator"),
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
    await expect(begin()).rejects.toMatchObject({ code: "UNAVAILABLE" });
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
      await expect(begin()).rejects.toMatchObject({ code: "UNAVAILABLE" });
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
      await expect(begin()).rejects.toMatchObject({ code: "UNAVAILABLE" });
    }
    // https addresses are requested, except those of the cloud's metadata service.
    answer = described({ token_endpoint: "https://169.254.169.254/token" });
    const { url, sealed } = await begin();
    await expect(
      complete(`${redirectUri}?code=a&state=${new URL(url).searchParams.get("state")}`, sealed),
    ).rejects.toMatchObject({ code: "UNAVAILABLE" });
    odd.close();
    odd.closeAllConnections();
  });

  it("is remote over http, or at a metadata address, is never contacted", async () => {
    await start({ CARREL_OIDC_ISSUER: "http://id.example.org" });
    await expect(begin()).rejects.toMatchObject({
      code: "DISABLED",
      message: expect.stringContaining("https"),
    });
    await start({ CARREL_OIDC_ISSUER: "https://169.254.169.254" });
    await expect(begin()).rejects.toMatchObject({ code: "UNAVAILABLE" });
  });
});

describe("an instance", () => {
  it("reports that no provider is configured", async () => {
    await start({ CARREL_OIDC_CLIENT_ID: "" });
    await expect(begin()).rejects.toMatchObject({
      code: "DISABLED",
      message: expect.stringContaining("not set up"),
    });
    await start();
  });

  it("reports that it is in single-user mode", async () => {
    const { sealed } = await begin();
    await sql.query(`update auth.instance_access set mode = 'single'`);
    await expect(begin()).rejects.toMatchObject({
      code: "DISABLED",
      message: expect.stringContaining("user accounts"),
    });
    await expect(complete(`${redirectUri}?code=a&state=b`, sealed)).rejects.toMatchObject({
      code: "DISABLED",
    });
    await sql.query(`update auth.instance_access set mode = 'multi'`);
  });
});
