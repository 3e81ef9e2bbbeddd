import { useMemo, useSyncExternalStore } from "react";
import { keys, readStored, watchStored, writeStored } from "../../../lib/session-storage.ts";

/**
 * The ids of workspaces as the person put them, kept as existing clients of this wire keep them.
 * What is no list of ids counts as none.
 */
export function parseOrder(raw: string | null): number[] {
  try {
    const value: unknown = JSON.parse(raw ?? "[]");
    return Array.isArray(value) ? value.filter((id): id is number => typeof id === "number") : [];
  } catch {
    return []; // written by hand or cut short: the server's order
  }
}

/**
 * Workspaces that the order does not name, such as new ones, come first, as in existing clients.
 */
export function orderWorkspaces<W extends { id: number }>(workspaces: W[], order: number[]): W[] {
  if (order.length === 0) return workspaces;
  const places = new Map(order.map((id, place) => [id, place]));
  const place = ({ id }: W): number => places.get(id) ?? -1;
  return workspaces.toSorted((a, b) => place(a) - place(b));
}

/** `ids` with `id` at `index` (counted without it); cut to the ends of the list. */
export function moveTo(ids: number[], id: number, index: number): number[] {
  const others = ids.filter((each) => each !== id);
  return others.toSpliced(Math.min(Math.max(0, index), others.length), 0, id);
}

export const storeOrder = (ids: number[]): void =>
  writeStored(keys.workspaceOrder, JSON.stringify(ids));

const subscribe = (listener: () => void): (() => void) =>
  watchStored(keys.workspaceOrder, listener);
const read = (): string | null => readStored(keys.workspaceOrder);
/** The workspaces in the person's order; follows what another tab changes. */
export function useOrdered<W extends { id: number }>(workspaces: W[] | undefined): W[] {
  const raw = useSyncExternalStore(subscribe, read);
  return useMemo(() => orderWorkspaces(workspaces ?? [], parseOrder(raw)), [workspaces, raw]);
}
