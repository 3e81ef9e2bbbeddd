import {
  watchConnections,
  type ConnectionFrame,
  type ConnectionRunWire,
  type ConnectionWire,
} from "@carrel/contracts";
import { useEffect } from "react";
import { addressOf } from "../../../lib/address.ts";
import { follow } from "../../../lib/event-stream.ts";
import { queryClient } from "../../../lib/query-client.ts";
import { watchKeys } from "../../../lib/watches.ts";
import { connectionKeys, type ConnectionDetails } from "../api/connections.ts";
import { noteProgress } from "./run-figures.ts";

function parseFrame(data: string): ConnectionFrame | null {
  try {
    return JSON.parse(data) as ConnectionFrame;
  } catch {
    return null; // truncated frame: the next one corrects it
  }
}

/** Frames of several replicas may arrive in a different order from their changes. */
const isOlder = (run: ConnectionRunWire, shown: ConnectionRunWire | null | undefined): boolean =>
  shown !== null &&
  shown !== undefined &&
  (shown.createdAt > run.createdAt ||
    (shown.id === run.id && shown.endedAt !== null && run.endedAt === null));

const withRun = (connection: ConnectionWire, run: ConnectionRunWire): ConnectionWire =>
  connection.id !== run.connectionId || isOlder(run, connection.run)
    ? connection
    : { ...connection, run };

/** Puts the latest state of a run into the cached lists. */
export function showRun(slug: string, run: ConnectionRunWire): void {
  noteProgress(run);
  queryClient.setQueryData<ConnectionWire[]>(connectionKeys.list(slug), (connections) =>
    connections?.map((connection) => withRun(connection, run)),
  );
  queryClient.setQueryData<ConnectionDetails>(
    connectionKeys.runs(slug, run.connectionId),
    (shown) =>
      shown && {
        connection: withRun(shown.connection, run),
        runs: shown.runs.some(({ id }) => id === run.id)
          ? shown.runs.map((each) => (each.id === run.id && !isOlder(run, each) ? run : each))
          : [run, ...shown.runs],
      },
  );
}

/** Milliseconds between two refreshes of what a run that moves has brought. */
const broughtMs = 2_000;

/** Follows the runs of a workspace's sources while a page shows them. */
export function useLiveRuns(
  slug: string,
  isEnabled: boolean,
  onRemoved?: (connectionId: string) => void,
): void {
  useEffect(() => {
    if (!isEnabled) return;
    const controller = new AbortController();
    const moved = new Set<string>();
    let timer: ReturnType<typeof setTimeout> | null = null;
    const refresh = (queryKey: readonly unknown[]): void =>
      void queryClient.invalidateQueries({ queryKey });
    /** Its items, and how many documents its source has, which frames don't tell. */
    const refreshBrought = (): void => {
      timer = null;
      refresh(connectionKeys.list(slug));
      for (const id of moved) refresh(connectionKeys.one(slug, id));
      moved.clear();
    };
    const onFrame = (frame: ConnectionFrame): void => {
      if (frame.type === "connection_run") {
        showRun(slug, frame.run);
        // What has become of it may be on no page yet: documents, reasons, the source itself.
        if (frame.run.endedAt !== null) return refresh(connectionKeys.all(slug));
        moved.add(frame.run.connectionId);
        timer ??= setTimeout(refreshBrought, broughtMs);
      } else if (frame.type === "watches_changed") refresh(watchKeys.all);
      else {
        refresh(connectionKeys.list(slug));
        if (frame.type === "connection_removed") onRemoved?.(frame.connectionId);
        else refresh(connectionKeys.one(slug, frame.connectionId));
      }
    };
    void follow(
      addressOf(watchConnections, { slug }).url,
      {
        // Whatever happened before isn't in the stream.
        onOpen: () => refresh(connectionKeys.all(slug)),
        onEvent: ({ data }) => {
          const frame = parseFrame(data);
          if (frame) onFrame(frame);
        },
      },
      controller.signal,
    );
    return () => {
      controller.abort();
      if (timer) clearTimeout(timer);
    };
  }, [slug, isEnabled, onRemoved]);
}
