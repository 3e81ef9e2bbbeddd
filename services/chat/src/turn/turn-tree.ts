/*
 * Turns of one thread as a tree; lists are in ID order, and a child is always newer than its
 * parent.
 */

export interface TurnNode {
  id: number;
  parentId: number | null;
  active: boolean;
  hidden: boolean;
  /** Deleted by an existing client: shown again only when someone switches to it. */
  removed: boolean;
}

/** The turn and all its ancestors. */
export function pathFromRoot(tree: readonly TurnNode[], turnId: number): Set<number> {
  const byId = new Map(tree.map((node) => [node.id, node]));
  const path = new Set<number>();
  for (
    let node = byId.get(turnId);
    node !== undefined && !path.has(node.id);
    node = node.parentId === null ? undefined : byId.get(node.parentId)
  )
    path.add(node.id);
  return path;
}

/**
 * The path from the root through the turn to the newest visible end below it. Removed turns are
 * passed over, unless the turn itself is removed.
 */
export function branchThrough(tree: readonly TurnNode[], turnId: number): Set<number> {
  const below = new Set([turnId]);
  const isRemoved = tree.some((node) => node.id === turnId && node.removed);
  let end = turnId;
  for (const node of tree) {
    if (node.parentId === null || !below.has(node.parentId)) continue;
    below.add(node.id);
    if (!node.hidden && (isRemoved || !node.removed)) end = node.id;
  }
  return pathFromRoot(tree, end);
}

/**
 * Returns what is left after deleting these turns: children of a deleted turn move to its nearest
 * remaining ancestor (`moved`), and `active` is the new active path. If that path ended in a
 * deleted turn, it continues with the newest other version of that turn.
 */
export function applyDeletion(
  tree: readonly TurnNode[],
  deleted: ReadonlySet<number>,
): { moved: { id: number; parentId: number | null }[]; active: Set<number> } {
  const stays = new Map<number, number | null>();
  const moved: { id: number; parentId: number | null }[] = [];
  const left: TurnNode[] = [];
  // Oldest first, so that a parent's new place is known before its children's.
  for (const node of tree) {
    const parentId =
      node.parentId === null
        ? null
        : deleted.has(node.parentId)
          ? (stays.get(node.parentId) ?? null)
          : node.parentId;
    if (deleted.has(node.id)) {
      stays.set(node.id, parentId);
      continue;
    }
    if (parentId !== node.parentId) moved.push({ id: node.id, parentId });
    left.push({ ...node, parentId });
  }
  const active = new Set(left.filter((node) => node.active).map((node) => node.id));
  const oldEnd = tree.filter((node) => node.active).at(-1);
  if (oldEnd === undefined || !deleted.has(oldEnd.id)) return { moved, active };
  // Considers only versions of the deleted turn: a branch that the user parked after the remaining
  // end stays parked, and what an existing client deleted stays deleted.
  const firstGone = tree.find(
    (node) =>
      node.active &&
      deleted.has(node.id) &&
      !tree.some((other) => other.active && other.id > node.id && !deleted.has(other.id)),
  )!;
  const place = stays.get(firstGone.id) ?? null;
  const versions = new Set(
    tree.filter((node) => node.parentId === firstGone.parentId).map((node) => node.id),
  );
  const other = left
    .filter(
      (node) =>
        node.parentId === place &&
        versions.has(node.id) &&
        !node.active &&
        !node.hidden &&
        !node.removed,
    )
    .at(-1);
  return { moved, active: other === undefined ? active : branchThrough(left, other.id) };
}
