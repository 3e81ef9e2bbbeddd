import {
  changesCompleteHeader,
  changesSinceHeader,
  watchChanges,
  type ChangeFrame,
} from "@carrel/contracts";
import { addressOf } from "./address.ts";
import { takePosition } from "./change-position.ts";
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
 * closes with the last. It begins with all changes since the page's first reply, and after a drop
 * with all since the last one received. Where the server can't tell, listeners get `connected` when
 * it first opens, since what the page read earlier may be stale by then, or `reconnected`.
 */
export function onChange(listener: Listener): () => void {
  listeners.add(listener);
  if (!connection) {
    connection = new AbortController();
    let opened = false;
    let position = takePosition();
    const emit = (frame: Parameters<Listener>[0]): void => {
      for (const each of [...listeners]) each(frame);
    };
    void follow(
      () => addressOf(watchChanges, { since: position }).url,
      {
        onOpen: (headers) => {
          const type = opened ? "reconnected" : "connected";
          opened = true;
          if (headers.has(changesCompleteHeader)) return;
          position = headers.get(changesSinceHeader);
          emit({ type });
        },
        onEvent: ({ id, data }) => {
          const frame = parseChange(data);
          if (!frame) return;
          position = id ?? position;
          emit(frame);
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
