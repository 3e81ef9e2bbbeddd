import { useInsertionEffect, useState } from "react";

type AnyCallback = (...parameters: unknown[]) => unknown;

function createRelay<Callbacks extends object>(callbacks: Callbacks) {
  let latest = callbacks;
  const stable = Object.fromEntries(
    Object.keys(callbacks).map((name) => [
      name,
      (...parameters: unknown[]): unknown =>
        (latest as Record<string, AnyCallback>)[name]!(...parameters),
    ]),
  ) as Callbacks;
  return {
    stable,
    update: (next: Callbacks): void => {
      latest = next;
    },
  };
}

/**
 * Callbacks whose identity never changes and that always run their latest version, so that memoized
 * rows re-render only when their own data changes.
 */
export function useStableCallbacks<Callbacks extends object>(callbacks: Callbacks): Callbacks {
  const [{ stable, update }] = useState(() => createRelay(callbacks));
  useInsertionEffect(() => update(callbacks));
  return stable;
}
