import { CarrelError, turnsChanged, type WorkspaceScope } from "@carrel/contracts";
import { Broadcast } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import type { EntityManager } from "typeorm";
import { queryRows } from "../database/query-rows.ts";

/**
 * Notifies the owner's other tabs and devices that turns of a thread were rewritten, rated, hidden,
 * deleted or switched. Without the outbox: a lost message only costs a refresh.
 */
@Injectable()
export class TurnChanges {
  constructor(private readonly broadcast: Broadcast) {}

  announce({ workspace, principal }: WorkspaceScope, threadId: number): void {
    // Not awaited: failures are logged by the broadcast.
    void this.broadcast.publishEvent(turnsChanged, {
      workspaceId: workspace.id,
      threadId,
      userId: principal.userId,
    });
  }
}

const own = "thread_id = $1 AND workspace_id = $2 AND user_id IS NOT DISTINCT FROM $3";

/**
 * The turns of a thread as a tree. Everything runs in the caller's transaction, which must first
 * lock the thread's row, so that questions, edits and deletions in a thread are serialized. The
 * caller must stop the runs of the returned turns.
 */
@Injectable()
export class TurnBranches {
  /**
   * Waits until no other transaction changes these threads. Leaves a new version of each row, by
   * which a question that is being written notices the change (`GenerationStartRepository`).
   */
  async lock(manager: EntityManager, threadIds: number[]): Promise<void> {
    await manager.query(
      `UPDATE chat.thread SET name = thread.name
      FROM (SELECT id FROM chat.thread WHERE id = ANY($1::int[]) ORDER BY id FOR UPDATE) locked
      WHERE thread.id = locked.id`,
      [threadIds],
    );
  }

  /**
   * Makes room for a new version of `turnId`: parks it and what follows it, and activates the path
   * before it. `parked`: turns that may still be running.
   */
  async replace(
    manager: EntityManager,
    scope: WorkspaceScope,
    threadId: number,
    turnId: number,
  ): Promise<{ parentId: number | null; parked: number[] }> {
    const [turn] = await queryRows<{ parent_id: number | null; active: boolean }>(
      manager,
      `SELECT parent_id, active FROM chat.turn WHERE ${own} AND id = $4 AND NOT hidden`,
      [...this.owner(scope, threadId), turnId],
    );
    if (turn === undefined) throw new CarrelError("turn.replaced-not-found");
    if (turn.active)
      return {
        parentId: turn.parent_id,
        parked: await this.park(manager, scope, threadId, turnId),
      };
    // For a parked turn: activate the path to it, and park what was active after that point.
    const tree = await this.load(manager, scope, threadId);
    const path = turn.parent_id === null ? new Set<number>() : pathFromRoot(tree, turn.parent_id);
    const parked = tree.filter((node) => node.active && !path.has(node.id)).map((node) => node.id);
    await this.setActive(manager, tree, path);
    return { parentId: turn.parent_id, parked };
  }

  /**
   * Parks the active path from `startingId` on; returns the turns that are queued or running.
   * `removed`: for good, as far as existing clients can tell.
   */
  async park(
    manager: EntityManager,
    scope: WorkspaceScope,
    threadId: number,
    startingId: number,
    options: { removed?: boolean } = {},
  ): Promise<number[]> {
    const rows = await queryRows<{ id: number; state: string }>(
      manager,
      `UPDATE chat.turn SET active = false, removed = $5 WHERE ${own} AND id >= $4 AND active RETURNING id, state`,
      [...this.owner(scope, threadId), startingId, options.removed ?? false],
    );
    return rows
      .filter(({ state }) => state === "queued" || state === "running")
      .map(({ id }) => id);
  }

  /** Activates the path through this turn, down to its newest end. Runs elsewhere continue. */
  async activate(
    manager: EntityManager,
    scope: WorkspaceScope,
    threadId: number,
    turnId: number,
  ): Promise<void> {
    const tree = await this.load(manager, scope, threadId);
    await this.setActive(manager, tree, branchThrough(tree, turnId));
  }

  /**
   * Deletes these turns permanently, on any branch. Their children move up to the parent; if the
   * active path ends early as a result, it continues with the newest other version.
   */
  async delete(
    manager: EntityManager,
    scope: WorkspaceScope,
    threadId: number,
    turnIds: number[],
  ): Promise<void> {
    const tree = await this.load(manager, scope, threadId);
    const { moved, active } = applyDeletion(tree, new Set(turnIds));
    await manager.query(`DELETE FROM chat.turn WHERE ${own} AND id = ANY($4::int[])`, [
      ...this.owner(scope, threadId),
      turnIds,
    ]);
    if (moved.length > 0) {
      await manager.query(
        `UPDATE chat.turn SET parent_id = v.parent_id
        FROM unnest($1::int[], $2::int[]) AS v(id, parent_id)
        WHERE turn.id = v.id`,
        [moved.map(({ id }) => id), moved.map(({ parentId }) => parentId)],
      );
    }
    await this.setActive(
      manager,
      tree.filter(({ id }) => !turnIds.includes(id)),
      active,
    );
  }

  /**
   * Hides a turn. If the active path ends there and the turn has other versions, the newest of them
   * takes its place.
   */
  async hide(
    manager: EntityManager,
    scope: WorkspaceScope,
    threadId: number,
    turnId: number,
  ): Promise<void> {
    await manager.query(`UPDATE chat.turn SET hidden = true WHERE ${own} AND id = $4`, [
      ...this.owner(scope, threadId),
      turnId,
    ]);
    const tree = await this.load(manager, scope, threadId);
    const node = tree.find(({ id }) => id === turnId);
    if (
      node === undefined ||
      !node.active ||
      tree.some((other) => other.active && other.id > turnId)
    )
      return;
    const other = tree
      .filter(
        (sibling) => sibling.parentId === node.parentId && !sibling.hidden && !sibling.removed,
      )
      .at(-1);
    if (other !== undefined) await this.setActive(manager, tree, branchThrough(tree, other.id));
  }

  /** Oldest first. */
  private async load(
    manager: EntityManager,
    scope: WorkspaceScope,
    threadId: number,
  ): Promise<TurnNode[]> {
    const rows = await queryRows<{
      id: number;
      parent_id: number | null;
      active: boolean;
      hidden: boolean;
      removed: boolean;
    }>(
      manager,
      `SELECT id, parent_id, active, hidden, removed FROM chat.turn WHERE ${own} ORDER BY id`,
      this.owner(scope, threadId),
    );
    return rows.map((row) => ({
      id: row.id,
      parentId: row.parent_id,
      active: row.active,
      hidden: row.hidden,
      removed: row.removed,
    }));
  }

  private async setActive(
    manager: EntityManager,
    tree: TurnNode[],
    path: ReadonlySet<number>,
  ): Promise<void> {
    const changed = tree.filter((node) => node.active !== path.has(node.id)).map((node) => node.id);
    if (changed.length > 0)
      await manager.query(
        "UPDATE chat.turn SET active = NOT active, removed = false WHERE id = ANY($1::int[])",
        [changed],
      );
  }

  private owner(scope: WorkspaceScope, threadId: number): [number, number, number | null] {
    return [threadId, scope.workspace.id, scope.principal.userId];
  }
}

/*
 * Turns of one thread as a tree; lists are in ID order, and a child is always newer than its
 * parent.
 */

interface TurnNode {
  id: number;
  parentId: number | null;
  active: boolean;
  hidden: boolean;
  /** Deleted by an existing client: shown again only when someone switches to it. */
  removed: boolean;
}

/** The turn and all its ancestors. */
function pathFromRoot(tree: readonly TurnNode[], turnId: number): Set<number> {
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
function branchThrough(tree: readonly TurnNode[], turnId: number): Set<number> {
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
function applyDeletion(
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
