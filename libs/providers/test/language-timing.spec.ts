// Slow tests, run for all vendors at once.
import { startFakeLlm, type FakeBehaviour } from "@carrel/testing";
import { expect, it, jest } from "@jest/globals";
import {
  cases,
  errorOf,
  key,
  run,
  shortFirstByte,
  shortIdle,
  type LanguageModelCase,
} from "./language-model-cases.ts";

jest.setTimeout(60_000);

/** Starts a separate server for each vendor. */
const forAll = <Result>(
  behaviour: FakeBehaviour,
  check: (vendor: LanguageModelCase, fake: Awaited<ReturnType<typeof startFakeLlm>>) => Result,
): Promise<Awaited<Result>[]> =>
  Promise.all(
    cases.map(async (vendor) => {
      const fake = await startFakeLlm({ apiKey: key, ...vendor.usual, ...behaviour });
      try {
        return await check(vendor, fake);
      } finally {
        await fake.stop();
      }
    }),
  );

it("429 with a short retry-after: waits, retries once, answers", async () => {
  const results = await forAll({}, async ({ id, make, usual }, fake) => {
    fake.next({ ...usual, status: 429, retryAfter: 1 });
    const started = performance.now();
    const { error, text } = await run(make(fake.url));
    return {
      id,
      error,
      answered: text !== "",
      waited: performance.now() - started > 950,
      requests: fake.requests.length,
    };
  });
  expect(results).toEqual(
    cases.map(({ id }) => ({ id, error: null, answered: true, waited: true, requests: 2 })),
  );
});

it("times out without response headers", async () => {
  const errors = await forAll({ hang: "headers" }, async ({ make }, fake) => {
    const { kind, fault } = await errorOf(make(fake.url, key, shortFirstByte));
    return `${kind} ${fault.code}`;
  });
  expect(new Set(errors)).toEqual(new Set(["unreachable provider.timed-out"]));
});

it("keeps the text so far and reports silence in the middle of an answer", async () => {
  const results = await forAll(
    { reply: ["one ", "two ", "three"], delayMs: 5, hang: 2 },
    async ({ id, make }, fake) => {
      const { text, error } = await run(make(fake.url, key, shortIdle));
      const { kind, fault } = error as { kind: string; fault: { code: string } };
      return { id, text, kind, code: fault.code, requests: fake.requests.length };
    },
  );
  expect(results).toEqual(
    cases.map(({ id }) => ({
      id,
      text: "one two ",
      kind: "broken-stream",
      code: "provider.went-silent",
      requests: 1,
    })),
  );
});
