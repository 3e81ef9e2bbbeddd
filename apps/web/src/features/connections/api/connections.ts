import {
  getConnection,
  listConnections,
  listConnectors,
  listSourceItems,
  type ConnectionRunWire,
  type ConnectionWire,
  type ConnectorWire,
  type SourceItemWire,
} from "@carrel/contracts";
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { call } from "../../../lib/api.ts";

export type ItemState = SourceItemWire["state"];

export const connectionKeys = {
  all: (slug: string) => ["connections", slug],
  list: (slug: string) => ["connections", slug, "list"],
  /** With its last runs and its items. */
  one: (slug: string, id: string) => ["connections", slug, "one", id],
  runs: (slug: string, id: string) => ["connections", slug, "one", id, "runs"],
  items: (slug: string, id: string, state: ItemState | null) => [
    "connections",
    slug,
    "one",
    id,
    "items",
    state,
  ],
  reason: (slug: string, id: string) => ["connections", slug, "one", id, "reason"],
  connectors: ["connectors"],
} as const;

/** The kinds of sources that this server can import from. */
export const connectorsQuery = queryOptions({
  queryKey: connectionKeys.connectors,
  queryFn: async ({ signal }): Promise<ConnectorWire[]> =>
    (await call(listConnectors, {}, { signal })).connectors,
  staleTime: 300_000,
});

export const connectionsQuery = (slug: string) =>
  queryOptions({
    queryKey: connectionKeys.list(slug),
    queryFn: async ({ signal }): Promise<ConnectionWire[]> =>
      (await call(listConnections, { slug }, { signal })).connections,
  });

export interface ConnectionDetails {
  connection: ConnectionWire;
  /** Newest first. */
  runs: ConnectionRunWire[];
}

export const connectionQuery = (slug: string, connectionId: string) =>
  queryOptions({
    queryKey: connectionKeys.runs(slug, connectionId),
    queryFn: ({ signal }): Promise<ConnectionDetails> =>
      call(getConnection, { slug, connectionId }, { signal }),
  });

/** Items of the latest run, with how often each reason occurs; null: in any state. */
export const itemsQuery = (slug: string, connectionId: string, state: ItemState | null) =>
  infiniteQueryOptions({
    queryKey: connectionKeys.items(slug, connectionId, state),
    queryFn: ({ pageParam, signal }) =>
      call(
        listSourceItems,
        {
          slug,
          connectionId,
          ...(state !== null && { state }),
          ...(pageParam !== "" && { cursor: pageParam }),
        },
        { signal },
      ),
    initialPageParam: "",
    getNextPageParam: (last) => last.nextCursor ?? undefined,
  });

/** Why most of the latest run's items aren't documents; null if there is no reason. */
export const mainReasonQuery = (slug: string, connectionId: string) =>
  queryOptions({
    queryKey: connectionKeys.reason(slug, connectionId),
    queryFn: async ({ signal }) =>
      (await call(listSourceItems, { slug, connectionId, limit: 1 }, { signal })).reasons[0] ??
      null,
  });
