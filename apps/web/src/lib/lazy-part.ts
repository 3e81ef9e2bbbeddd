import { lazy, type ComponentType, type LazyExoticComponent } from "react";
import { backoff, pause } from "./event-stream.ts";

const never = new AbortController().signal;

/** Whether the server replies, so that a file it doesn't deliver is gone since an upgrade. */
const isThere = (): Promise<boolean> =>
  fetch("/api/ping").then(
    ({ ok }) => ok,
    () => false,
  );

/**
 * React's `lazy`, for a page that has lost its connection: shows the fallback until the server is
 * back, rather than replacing the page with an error.
 */
export const lazyPart = <Props>(
  load: () => Promise<{ default: ComponentType<Props> }>,
): LazyExoticComponent<ComponentType<Props>> =>
  lazy(async () => {
    for (let attempt = 0; ; attempt++)
      try {
        return await load();
      } catch {
        // The connection may have come back since the attempt.
        if (await isThere()) return load();
        await pause(backoff(attempt), never);
      }
  });
