import type { WatchWire } from "@carrel/contracts";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { onChange } from "../../../lib/changes.ts";
import { watchesQuery, watchKeys } from "../../../lib/watches.ts";
import { refreshSoon } from "./refresh.ts";

/** The workspace's watched documents, by their id; empty while live sync is off. */
export function useDocumentWatches(
  slug: string,
  isEnabled: boolean,
): ReadonlyMap<string, WatchWire> {
  const { data } = useQuery({ ...watchesQuery(slug), enabled: isEnabled });
  useEffect(
    () =>
      !isEnabled
        ? undefined
        : onChange((frame) => {
            // A sync that found something has changed documents.
            if (frame.type === "workspace-documents.changed")
              refreshSoon(watchKeys.inWorkspace(slug));
          }),
    [slug, isEnabled],
  );
  return useMemo(
    () =>
      new Map(
        (data?.enabled ? data.watches : []).flatMap((watch) =>
          watch.document === null ? [] : [[watch.document.id, watch] as const],
        ),
      ),
    [data],
  );
}
