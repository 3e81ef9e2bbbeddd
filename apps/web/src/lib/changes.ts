import { watchChanges, type ChangeFrame } from "@carrel/contracts";
import { addressOf } from "./address.ts";
import { follow } from "./event-stream.ts";

type Listener = (frame: ChangeFrame | { type: "connected" | "reconnected" }) => void;
const listeners = new Set<Listener>();
let connection: AbortController | null = null;

/** Parses a frame; null if it isn't one. Types a newer server adds are let through. */
function parseChange(data: string): ChangeFrame | null {
  try {
    const value: unknown = JSON.parse(data);
    return typeof value === "object" &&
      value !== null &&
      "type" in value &&
      typeof value.type === "string"
      ? (value as ChangeFrame)
      : null;
  } catch {
    return null;
  }
}

/**
 * Subscribes to changes on the instance. One connection per tab opens with the first listener and
 * closes with the last. Listeners get `connected` when it first opens, since what the page read
 * earlier may be stale by then, and `reconnected` after a drop.
 */
export function onChange(listener: Listener): () => void {
  listeners.add(listener);
  if (!connection) {
    connection = new AbortController();
    let opened = false;
    void follow(
      addressOf(watchChanges, {}).url,
      {
        onOpen: () => {
          const type = opened ? "reconnected" : "connected";
          opened = true;
          for (const each of [...listeners]) each({ type });
        },
        onEvent: ({ data }) => {
          const frame = parseChange(data);
          if (frame) for (const each of [...listeners]) each(frame);
        },
      },
      connection.signal,
    );
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    connection?.abort();
    connection = null;
  };
}
