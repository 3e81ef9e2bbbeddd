import {
  changesCompleteHeader,
  changesSinceHeader,
  watchChanges,
  type ChangeFrame,
} from "@carrel/contracts";
import { addressOf } from "./address.ts";
import { takePosition } from "./api.ts";
import { noteConnected, noteDisconnected } from "./connection.ts";
import { follow } from "./event-stream.ts";
import { readToken } from "./session-storage.ts";

type Listener = (frame: ChangeFrame | { type: "complete" | "connected" | "reconnected" }) => void;
const listeners = new Set<Listener>();
let connection: AbortController | null = null;

/** Parses a frame; null if it isn't one. Types added by a newer server are accepted. */
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
 * with all since the last one received. When it first opens, listeners get `complete`; where the
 * server can't tell, they get `connected`, since what the page read earlier may be stale by then,
 * or `reconnected`.
 */
export function onChange(listener: Listener): () => void {
  listeners.add(listener);
  if (!connection) {
    connection = new AbortController();
    let opened = false;
    let position = takePosition();
    let token = readToken();
    const emit = (frame: Parameters<Listener>[0]): void => {
      for (const each of [...listeners]) each(frame);
    };
    void follow(
      () => {
        // Another tab may have signed in as someone else, who has seen none of this page's data.
        if (token !== readToken()) position = null;
        token = readToken();
        return addressOf(watchChanges, { since: position }).url;
      },
      {
        onDrop: noteDisconnected,
        onOpen: (headers) => {
          noteConnected();
          const isFirst = !opened;
          opened = true;
          if (!headers.has(changesCompleteHeader)) {
            position = headers.get(changesSinceHeader);
            emit({ type: isFirst ? "connected" : "reconnected" });
          } else if (isFirst) emit({ type: "complete" });
        },
        onEvent: ({ id, data }) => {
          const frame = parseChange(data);
          if (!frame) return;
          position = id ?? position;
          emit(frame);
        },
      },
      connection.signal,
    ).then(noteConnected); // refused, or not needed any more: nothing to wait for
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    connection?.abort();
    connection = null;
    noteConnected();
  };
}
