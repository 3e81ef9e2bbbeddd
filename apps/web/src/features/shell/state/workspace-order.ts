import { useMemo, useSyncExternalStore } from "react";
import { keys, readStored, watchStored, writeStored } from "../../../lib/session-storage.ts";

/**
 * Workspace IDs in the user's order, in the storage format of existing clients of this wire. Empty
 * for anything but a list of IDs.
 */
export function parseOrder(raw: string | null): number[] {
  try {
    const value: unknown = JSON.parse(raw ?? "[]");
    return Array.isArray(value) ? value.filter((id): id is number => typeof id === "number") : [];
  } catch {
    return []; // edited by hand or truncated: use the server's order
  }
}

/** Workspaces missing from the order, such as new ones, come first, as in existing clients. */
export function orderWorkspaces<W extends { id: number }>(workspaces: W[], order: number[]): W[] {
  if (order.length === 0) return workspaces;
  const places = new Map(order.map((id, place) => [id, place]));
  const place = ({ id }: W): number => places.get(id) ?? -1;
  return workspaces.toSorted((a, b) => place(a) - place(b));
}

/** `ids` with `id` moved to `index` (not counting itself), clamped to the list. */
export function moveTo(ids: number[], id: number, index: number): number[] {
  const others = ids.filter((each) => each !== id);
  return others.toSpliced(Math.min(Math.max(0, index), others.length), 0, id);
}

export const storeOrder = (ids: number[]): void =>
  writeStored(keys.workspaceOrder, JSON.stringify(ids));

const subscribe = (listener: () => void): (() => void) =>
  watchStored(keys.workspaceOrder, listener);
const read = (): string | null => readStored(keys.workspaceOrder);
/** The workspaces in the user's order; follows changes made in other tabs. */
export function useOrdered<W extends { id: number }>(workspaces: W[] | undefined): W[] {
  const raw = useSyncExternalStore(subscribe, read);
  return useMemo(() => orderWorkspaces(workspaces ?? [], parseOrder(raw)), [workspaces, raw]);
}
