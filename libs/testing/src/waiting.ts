import { setTimeout as sleep } from "node:timers/promises";

export interface WaitOptions {
  timeoutMs?: number;
  intervalMs?: number;
  what?: string;
}

/**
 * Polls until the check returns something truthy and returns that; throws after the limit (30 s),
 * with the last error as cause.
 */
export async function waitFor<T>(
  check: () => T | Promise<T>,
  options: WaitOptions = {},
): Promise<Exclude<T, false | null | undefined>> {
  const end = Date.now() + (options.timeoutMs ?? 30_000);
  let last: unknown;
  for (;;) {
    try {
      const value = await check();
      if (value) return value as Exclude<T, false | null | undefined>;
      last = undefined;
    } catch (error) {
      last = error;
    }
    if (Date.now() >= end)
      throw new Error(
        `waited ${options.timeoutMs ?? 30_000} ms in vain${options.what ? ` for ${options.what}` : ""}`,
        { cause: last },
      );
    await sleep(options.intervalMs ?? 20);
  }
}

/** Retries assertions until they hold; after the limit throws the assertion's own error. */
async function eventually(
  assertion: () => void | Promise<void>,
  options: WaitOptions = {},
): Promise<void> {
  const end = Date.now() + (options.timeoutMs ?? 30_000);
  for (;;) {
    try {
      return await assertion();
    } catch (error) {
      if (Date.now() >= end) throw error;
    }
    await sleep(options.intervalMs ?? 20);
  }
}

type Matchers<T> = jest.Matchers<Promise<void>, T>;

/**
 * Like `expect` for a value that changes asynchronously: reads and compares until the matcher
 * passes; after the limit throws the matcher's own error for the last value. Not sufficient to
 * prove that something never happens, because it passes at the first read: wait for a later effect
 * first.
 */
export function poll<T>(
  read: () => T | Promise<T>,
  options: WaitOptions = {},
): Matchers<T> & { not: Matchers<T> } {
  const matchers = (pick: (value: T) => object): object =>
    new Proxy(
      {},
      {
        get:
          (_, name) =>
          (...expected: unknown[]) =>
            eventually(async () => {
              const among = pick(await read()) as Record<
                string | symbol,
                (...values: unknown[]) => void
              >;
              among[name]!(...expected);
            }, options),
      },
    );
  const not = matchers((value) => expect(value).not);
  const direct = matchers((value) => expect(value));
  return new Proxy(direct, {
    get: (target, name) => (name === "not" ? not : (Reflect.get(target, name) as unknown)),
  }) as Matchers<T> & { not: Matchers<T> };
}
