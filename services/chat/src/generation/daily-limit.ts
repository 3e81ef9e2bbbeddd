import type { Principal } from "@carrel/contracts";
import type { EntityManager } from "typeorm";
import { queryRows } from "../database/query-rows.ts";

/**
 * Returns how many questions this principal may ask in 24 hours; null is unlimited, as for every
 * admin and API key.
 */
export function findDailyLimit(principal: Principal): number | null {
  return principal.role === "admin" || principal.userId === null
    ? null
    : (principal.dailyMessageLimit ?? null);
}

/**
 * Counts one more question of this account across all workspaces; returns false, without counting,
 * when its 24-hour limit is reached. Other questions of a limited account wait until the
 * transaction ends, so that concurrent ones can't both pass. Deleting the turn doesn't reset the
 * count.
 */
export async function countQuestion(
  manager: EntityManager,
  principal: Principal,
): Promise<boolean> {
  if (principal.userId === null) return true;
  const limit = findDailyLimit(principal);
  if (limit !== null) {
    await manager.query(`SELECT pg_advisory_xact_lock(hashtext('daily limit'), $1)`, [
      principal.userId,
    ]);
    // A separate statement, so that its snapshot is taken after the wait.
    const [row] = await queryRows<{ asked: number }>(
      manager,
      `SELECT count(*)::int AS asked FROM question WHERE user_id = $1 AND asked_at > now() - interval '24 hours'`,
      [principal.userId],
    );
    if (row!.asked >= limit) return false;
  }
  await manager.query(
    `WITH old AS (
      SELECT ctid FROM question
      WHERE user_id = $1 AND asked_at <= now() - interval '24 hours'
      FOR UPDATE SKIP LOCKED
    ),
    gone AS (DELETE FROM question USING old WHERE question.ctid = old.ctid)
    INSERT INTO question (user_id)
    VALUES ($1)`,
    [principal.userId],
  );
  return true;
}
