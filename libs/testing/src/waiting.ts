import { setTimeout as sleep } from 'node:timers/promises';

export interface WaitOptions { timeoutMs?: number; intervalMs?: number; what?: string }

/** Polls until the check gives something truthy and returns that; throws after the limit (10 s), with the last error as cause. */
export async function waitFor<T>(check: () => T | Promise<T>, options: WaitOptions = {}): Promise<NonNullable<T>> {
  const end = Date.now() + (options.timeoutMs ?? 10_000);
  let last: unknown;
  for (;;) {
    try {
      const value = await check();
      if (value) return value;
      last = undefined;
    } catch (error) {
      last = error;
    }
    if (Date.now() >= end) throw new Error(`waited ${options.timeoutMs ?? 10_000} ms in vain${options.what ? ` for ${options.what}` : ''}`, { cause: last });
    await sleep(options.intervalMs ?? 20);
  }
}

/** Repeats assertions until they hold; after the limit throws the assertion's own error. */
export async function eventually(assertion: () => void | Promise<void>, options: WaitOptions = {}): Promise<void> {
  const end = Date.now() + (options.timeoutMs ?? 10_000);
  for (;;) {
    try {
      return await assertion();
    } catch (error) {
      if (Date.now() >= end) throw error;
    }
    await sleep(options.intervalMs ?? 20);
  }
}
