import {
  authenticate,
  CarrelError,
  publicPrincipal,
  recoverAccount,
  requestTokenBySignInToken,
  resetPassword,
} from "@carrel/contracts";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { hash } from "@node-rs/argon2";
import { AuthInstance } from "./auth-instance.ts";

const password = "correct horse";
const people = Array.from({ length: 50 }, (_, index) => `person-${index}`);
let auth: AuthInstance;
let passwordHash: string;
beforeAll(async () => {
  auth = await AuthInstance.start({ SIMPLE_SSO_ENABLED: "1" }, { replicas: 2 });
  // Cheap to verify, because hundreds are. Unknown names cost as much as in production.
  passwordHash = await hash(password, { memoryCost: 64, timeCost: 1, parallelism: 1 });
  await auth.enableMultiUser();
  for (const username of ["ada", "bob", "cal", "dan", ...people])
    await auth.addUser(username, { passwordHash });
});
afterAll(() => auth.stop());
beforeEach(() => auth.resetAttempts());

/** How an attempt ended: the first word of the reply, or the error code. */
const ending = (work: Promise<{ message: string | null }>): Promise<string> =>
  work.then(
    ({ message }) => (message === null ? "in" : message.split(" ")[0]!),
    (error: unknown) => (error instanceof CarrelError ? error.kind : "crash"),
  );
async function countEndings(
  tries: Promise<{ message: string | null }>[],
): Promise<Record<string, number>> {
  const endings = await Promise.all(tries.map(ending));
  return Object.fromEntries(
    [...new Set(endings)]
      .toSorted()
      .map((each) => [each, endings.filter((other) => other === each).length]),
  );
}

/**
 * Sends wrong passwords at once: as many are checked as the limit holds, plus those it regains
 * meanwhile, one every six seconds.
 */
async function expectLimitOfTen(
  answer: string,
  send: (index: number) => Promise<{ message: string | null }>,
  count: number,
): Promise<void> {
  const started = performance.now();
  const endings = await countEndings(Array.from({ length: count }, (_, index) => send(index)));
  const regained = Math.floor((performance.now() - started) / 6_000);
  const { [answer]: checked = 0, TOO_MANY_ATTEMPTS: refused = 0 } = endings;
  expect(checked + refused).toBe(count);
  expect(checked).toBeGreaterThanOrEqual(10);
  expect(checked).toBeLessThanOrEqual(10 + regained);
  await auth.stopRefilling();
}

describe("wrong passwords", () => {
  it("are limited to ten per address and account across both replicas; others are not slowed", async () => {
    const from = { address: "198.51.100.1" };
    await expectLimitOfTen("[001]", () => auth.login("ada", "wrong horse", from), 24);
    await expect(auth.login("ada", password, from)).rejects.toMatchObject({
      kind: "TOO_MANY_ATTEMPTS",
      retryAfter: expect.any(Number),
    });
    expect(await ending(auth.login("bob", password, from))).toBe("in");
    expect(await ending(auth.login("ada", password, { address: "198.51.100.2" }))).toBe("in");
    // The same for an unknown name: the limit does not reveal who exists.
    await expectLimitOfTen("[001]", () => auth.login("nobody", "wrong horse", from), 24);
  });

  it("are limited to thirty per account from anywhere, but a browser that signed in before still gets in", async () => {
    const { device } = await auth.login("cal", password, { address: "198.51.100.9" });
    for (let host = 0; host < 6; host += 1)
      await countEndings(
        Array.from({ length: 8 }, () =>
          auth.login("cal", "wrong horse", { address: `192.0.2.${host}` }),
        ),
      );
    await auth.stopRefilling();
    expect(await ending(auth.login("cal", password, { address: "198.51.100.9" }))).toBe(
      "TOO_MANY_ATTEMPTS",
    );
    const again = await auth.login("cal", password, { address: "192.0.2.1", device });
    expect(again).toMatchObject({ valid: true, device });
    for (const forged of [
      device!.replace(/.$/, (last) => (last === "A" ? "B" : "A")),
      device!.replace(/^\d+/, "1"),
      "x",
      "",
      "\0",
    ])
      expect(
        await ending(auth.login("cal", password, { address: "198.51.100.9", device: forged })),
      ).toBe("TOO_MANY_ATTEMPTS");
    const others = (await auth.login("bob", password, { address: "198.51.100.9" })).device;
    expect(
      await ending(auth.login("cal", password, { address: "198.51.100.9", device: others })),
    ).toBe("TOO_MANY_ATTEMPTS");
    // The known browser also gets ten guesses.
    await expectLimitOfTen(
      "[001]",
      () => auth.login("cal", "wrong horse", { address: "192.0.2.1", device }),
      14,
    );
  });

  it("are counted per /64 of an IPv6 address", async () => {
    await expectLimitOfTen(
      "[001]",
      (index) => auth.login("dan", "wrong horse", { address: `2001:db8:5:5:${index}::1` }),
      14,
    );
    expect(await ending(auth.login("dan", password, { address: "2001:db8:5:6::1" }))).toBe("in");
  });

  it("are limited to a burst of a hundred per address, whatever the name", async () => {
    const from = { address: "198.51.100.77" };
    const started = performance.now();
    const guess = (name: string) => auth.login(name, "wrong horse", from);
    for (let round = 0; round < 2; round += 1)
      expect(await countEndings(people.map(guess))).toEqual({ "[001]": 50 });
    const { TOO_MANY_ATTEMPTS: slowed = 0 } = await countEndings([
      ...people.slice(0, 18).map(guess),
      guess("nobody"),
      guess("no one else"),
    ]);
    // An attempt is regained every three seconds.
    const regained = Math.ceil((performance.now() - started) / 3_000);
    expect(slowed).toBeGreaterThanOrEqual(20 - regained);
  });
});

describe("right passwords", () => {
  it("are never slowed: fifty people behind one address, repeatedly", async () => {
    for (let round = 0; round < 4; round += 1)
      expect(
        await countEndings(
          Array.from({ length: 50 }, (_, person) =>
            auth.login(`person-${person}`, password, { address: "198.51.100.50" }),
          ),
        ),
      ).toEqual({ in: 50 });
  });

  it("get a reply or a wait time, even hundreds at once", async () => {
    const tries = Array.from({ length: 600 }, (_, index) =>
      auth.login(
        ["ada", "bob", "cal", "nobody"][index % 4],
        index % 3 === 0 ? password : "wrong horse",
        { address: `10.0.${index % 40}.${index % 7}` },
      ),
    );
    const endings = await countEndings(tries);
    expect(
      Object.keys(endings).filter(
        (each) => !["in", "[001]", "TOO_MANY_ATTEMPTS", "BUSY"].includes(each),
      ),
    ).toEqual([]);
    expect(endings.in).toBeGreaterThan(0);
    await auth.resetAttempts();
    expect(await ending(auth.login("ada", password))).toBe("in");
  });

  it("queue without delaying others: existing sessions are still recognised immediately", async () => {
    const { token } = await auth.signIn("bob", password);
    let waiting = 200;
    const queue = countEndings(
      Array.from({ length: waiting }, (_, index) =>
        auth
          .login(`name-${index}`, "wrong horse", { address: `10.1.${index}.1` })
          .finally(() => (waiting -= 1)),
      ),
    );
    // Given more time than its own five seconds: only the order counts.
    const { principal } = await auth.shared.messaging.client.request(
      authenticate,
      { bearer: token, credential: "session" },
      { scope: { principal: publicPrincipal, workspace: null }, deadline: Date.now() + 50_000 },
    );
    expect(principal).toMatchObject({ kind: "user" });
    const behind = waiting;
    const { BUSY: refused = 0, "[001]": answered = 0, ...rest } = await queue;
    expect(rest).toEqual({});
    expect(refused).toBeGreaterThan(0);
    expect(answered).toBeGreaterThan(4); // more than the two replicas hash at once
    expect(behind).toBeGreaterThan(0); // it was sent after all of them
  });
});

describe("other secrets", () => {
  it("are limited as well", async () => {
    const from = { address: "198.51.100.80" };
    const attempt = (work: Promise<unknown>): Promise<string> =>
      work.then(
        () => "in",
        (error: unknown) => (error as CarrelError).kind,
      );
    const recoveries = await Promise.all(
      Array.from({ length: 14 }, () =>
        attempt(
          auth.request(recoverAccount, { username: "ada", recoveryCodes: ["a", "b"], ...from }),
        ),
      ),
    );
    expect(recoveries.filter((each) => each === "TOO_MANY_ATTEMPTS")).toHaveLength(4);
    await auth.stopRefilling();
    const tokens: string[] = [];
    for (let index = 0; index < 100; index += 1)
      tokens.push(
        await attempt(auth.request(requestTokenBySignInToken, { token: `x${index}`, ...from })),
      );
    expect(tokens[0]).toBe("UNAUTHENTICATED");
    expect(tokens.at(-1)).toBe("TOO_MANY_ATTEMPTS");
    expect(
      await attempt(
        auth.request(resetPassword, {
          token: "x",
          newPassword: "a new password",
          confirmPassword: "a new password",
          ...from,
        }),
      ),
    ).toBe("TOO_MANY_ATTEMPTS");
    expect(
      await attempt(
        auth.request(resetPassword, {
          token: "x",
          newPassword: "a new password",
          confirmPassword: "a new password",
          address: "198.51.100.81",
        }),
      ),
    ).toBe("BAD_INPUT");
  });
});
