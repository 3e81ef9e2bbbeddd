import { Injectable } from "@nestjs/common";
import { CarrelError, type WorkspaceScope } from "@carrel/contracts";
import type { EntityManager } from "typeorm";
import { queryRows } from "../database/query-rows.ts";
import { GenerationRepository } from "../generation/generation.repository.ts";
import { GenerationRunner } from "../generation/generation-runner.ts";
import { applyDeletion, pathThrough, type TurnNode } from "./turn-tree.ts";

/**
 * Generations that a transaction ended or asked to stop; `TurnBranches.end` tells after the commit.
 */
export interface StoppedGenerations {
  running: string[];
  queued: {
    id: string;
    turnId: number;
    threadId: number;
    workspaceId: number;
    userId: number | null;
  }[];
}
export const noneStopped: StoppedGenerations = { running: [], queued: [] };

const own = "thread_id = $1 AND workspace_id = $2 AND user_id IS NOT DISTINCT FROM $3";

/**
 * The turns of a thread as a tree. Everything here runs in the caller's transaction, whose first
 * statement has locked the
 * thread's row: so questions, edits and deletions in one thread come one after the other.
 */
@Injectable()
export class TurnBranches {
  private readonly generations: GenerationRepository;
  private readonly runner: GenerationRunner;
  constructor(generations: GenerationRepository, runner: GenerationRunner) {
    this.generations = generations;
    this.runner = runner;
  }

  /** Waits until nobody else changes these threads. */
  async lock(manager: EntityManager, threadIds: number[]): Promise<void> {
    await manager.query("SELECT 1 FROM thread WHERE id = ANY($1::int[]) ORDER BY id FOR UPDATE", [
      threadIds,
    ]);
  }

  /**
   * Makes room for a new version of `turnId`: it and what follows it are parked, the path before it
   * is shown. What ran there is stopped; its text stays.
   */
  async replace(
    manager: EntityManager,
    scope: WorkspaceScope,
    threadId: number,
    turnId: number,
  ): Promise<{ parentId: number | null; stopped: StoppedGenerations }> {
    const [turn] = await queryRows<{ parent_id: number | null; active: boolean }>(
      manager,
      `SELECT parent_id, active FROM turn WHERE ${own} AND id = $4 AND NOT hidden`,
      [...this.owner(scope, threadId), turnId],
    );
    if (turn === undefined)
      throw new CarrelError("NOT_FOUND", "The message to replace is not there any more.");
    if (turn.active)
      return {
        parentId: turn.parent_id,
        stopped: await this.park(manager, scope, threadId, turnId),
      };
    // A parked one: the path to it is shown, whatever was shown from there on is parked.
    const tree = await this.load(manager, scope, threadId);
    const path =
      turn.parent_id === null ? new Set<number>() : pathThrough(tree, turn.parent_id, "up");
    const parked = tree.filter((node) => node.active && !path.has(node.id)).map((node) => node.id);
    const stopped = await this.stop(manager, scope, parked);
    await this.show(manager, tree, path);
    return { parentId: turn.parent_id, stopped };
  }

  /** The turns of the shown path from `startingId` on become a parked branch. */
  async park(
    manager: EntityManager,
    scope: WorkspaceScope,
    threadId: number,
    startingId: number,
  ): Promise<StoppedGenerations> {
    const rows = await queryRows<{ id: number; state: string }>(
      manager,
      `UPDATE turn SET active = false WHERE ${own} AND id >= $4 AND active RETURNING id, state`,
      [...this.owner(scope, threadId), startingId],
    );
    return this.stop(
      manager,
      scope,
      rows.filter(({ state }) => state === "queued" || state === "running").map(({ id }) => id),
    );
  }

  /** The path through this turn is shown, on to its newest end. What runs elsewhere runs on. */
  async activate(
    manager: EntityManager,
    scope: WorkspaceScope,
    threadId: number,
    turnId: number,
  ): Promise<void> {
    const tree = await this.load(manager, scope, threadId);
    await this.show(manager, tree, pathThrough(tree, turnId, "both"));
  }

  /**
   * Deletes these for good, whatever branch they are on. Children get the parent; where the path
   * that is shown ends early now, the newest other version goes on.
   */
  async delete(
    manager: EntityManager,
    scope: WorkspaceScope,
    threadId: number,
    turnIds: number[],
  ): Promise<StoppedGenerations> {
    const stopped = await this.stop(manager, scope, turnIds);
    const tree = await this.load(manager, scope, threadId);
    const { moved, active } = applyDeletion(tree, new Set(turnIds));
    await manager.query(`DELETE FROM turn WHERE ${own} AND id = ANY($4::int[])`, [
      ...this.owner(scope, threadId),
      turnIds,
    ]);
    if (moved.length > 0) {
      await manager.query(
        "UPDATE turn SET parent_id = v.parent_id FROM unnest($1::int[], $2::int[]) AS v(id, parent_id) WHERE turn.id = v.id",
        [moved.map(({ id }) => id), moved.map(({ parentId }) => parentId)],
      );
    }
    await this.show(
      manager,
      tree.filter(({ id }) => !turnIds.includes(id)),
      active,
    );
    return stopped;
  }

  /**
   * Where the shown path ends at a turn that is hidden now and has other versions, the newest of
   * them is shown instead.
   */
  async hide(
    manager: EntityManager,
    scope: WorkspaceScope,
    threadId: number,
    turnId: number,
  ): Promise<void> {
    await manager.query(`UPDATE turn SET hidden = true WHERE ${own} AND id = $4`, [
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
      .filter((sibling) => sibling.parentId === node.parentId && !sibling.hidden)
      .at(-1);
    if (other !== undefined) await this.show(manager, tree, pathThrough(tree, other.id, "both"));
  }

  /**
   * After the commit: tells who runs the stopped ones, and writes the ends of those that nobody
   * ran.
   */
  async end(stopped: StoppedGenerations): Promise<void> {
    this.runner.stop(stopped.running);
    for (const { id, turnId, ...where } of stopped.queued) {
      await this.runner.writeEnd({
        generationId: id,
        chatId: turnId,
        state: "cancelled",
        answer: "",
        notices: [],
        sources: [],
        metrics: null,
        error: null,
        refused: false,
      });
      this.runner.tell({ id, ...where }, "cancelled");
    }
  }

  /** Ends what is queued and asks what runs in these turns to stop. */
  private async stop(
    manager: EntityManager,
    scope: WorkspaceScope,
    turnIds: number[],
  ): Promise<StoppedGenerations> {
    if (turnIds.length === 0) return noneStopped;
    const queued = await queryRows<{ id: string; turn_id: number; thread_id: number }>(
      manager,
      `
      WITH g AS (UPDATE generation SET cancel_requested = true, state = 'cancelled', finished_at = now(), lease_expires_at = now() + interval '2 seconds'
        WHERE workspace_id = $1 AND turn_id = ANY($2::int[]) AND state = 'queued' RETURNING id, turn_id, thread_id),
      t AS (UPDATE turn SET state = 'cancelled' FROM g WHERE turn.id = g.turn_id) SELECT * FROM g`,
      [scope.workspace.id, turnIds],
    );
    const { running } = await this.generations.requestCancelAll(manager, {
      workspaceId: scope.workspace.id,
      turnIds,
    });
    const { workspace, principal } = scope;
    return {
      running,
      queued: queued.map((row) => ({
        id: row.id,
        turnId: row.turn_id,
        threadId: row.thread_id,
        workspaceId: workspace.id,
        userId: principal.userId,
      })),
    };
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
    }>(
      manager,
      `SELECT id, parent_id, active, hidden FROM turn WHERE ${own} ORDER BY id`,
      this.owner(scope, threadId),
    );
    return rows.map((row) => ({
      id: row.id,
      parentId: row.parent_id,
      active: row.active,
      hidden: row.hidden,
    }));
  }

  private async show(
    manager: EntityManager,
    tree: TurnNode[],
    path: ReadonlySet<number>,
  ): Promise<void> {
    const changed = tree.filter((node) => node.active !== path.has(node.id)).map((node) => node.id);
    if (changed.length > 0)
      await manager.query("UPDATE turn SET active = NOT active WHERE id = ANY($1::int[])", [
        changed,
      ]);
  }

  private owner(scope: WorkspaceScope, threadId: number): [number, number, number | null] {
    return [threadId, scope.workspace.id, scope.principal.userId];
  }
}
