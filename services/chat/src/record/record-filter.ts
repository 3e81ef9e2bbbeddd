import type { ChatRecordFilter } from "@carrel/contracts";
import { recordedTurn } from "../database/recorded-turn.ts";
import { buildQuery, wordsOf } from "../search/search-words.ts";

/** Turns and their threads; what is in the trash isn't recorded. */
export const recordTables =
  "turn JOIN thread ON thread.id = turn.thread_id AND thread.deleted_at IS NULL";

/** Session id on the wire; only conversations of the developer API have one. */
export const apiSessionId = "CASE WHEN thread.channel = 'api' THEN thread.session_id END";

const ratings: Record<NonNullable<ChatRecordFilter["rating"]>, string> = {
  good: "turn.feedback",
  bad: "NOT turn.feedback",
  none: "turn.feedback IS NULL",
};

export interface RecordCondition {
  where: string;
  /** The values of its parameters from `$1` on. */
  values: unknown[];
}

/** `workspaceIds` are the workspaces of a restricted API key. */
export type RecordFilter = ChatRecordFilter & { workspaceIds?: readonly number[] | undefined };

/**
 * A condition on `turn` and `thread`. Refusals and turns hidden by `/reset` are listed as not
 * included.
 */
export function recordCondition(filter: RecordFilter, turns = recordedTurn): RecordCondition {
  const values: unknown[] = [];
  const where = [
    turns,
    // Visitors' refused questions aren't kept (wire-contract 8.3).
    ...(filter.chatType === "embed" ? ["NOT turn.refused"] : []),
    `thread.channel IS ${filter.chatType === "embed" ? "NOT" : ""} DISTINCT FROM 'widget'`,
  ];
  const bind = (value: unknown): string => `$${values.push(value)}`;
  if (filter.workspaceId !== undefined)
    where.push(`turn.workspace_id = ${bind(filter.workspaceId)}`);
  if (filter.embedId !== undefined) where.push(`thread.widget_id = ${bind(filter.embedId)}`);
  if (filter.sessionId !== undefined) where.push(`thread.session_id = ${bind(filter.sessionId)}`);
  if (filter.workspaceIds !== undefined)
    where.push(`turn.workspace_id = ANY(${bind(filter.workspaceIds)}::int[])`);
  if (filter.userId !== undefined)
    where.push(
      filter.userId === "none" ? "turn.user_id IS NULL" : `turn.user_id = ${bind(filter.userId)}`,
    );
  const zone = filter.from !== undefined || filter.to !== undefined ? bind(filter.timeZone) : "";
  if (filter.from !== undefined)
    where.push(
      `turn.created_at >= ${bind(filter.from)}::date::timestamp AT TIME ZONE ${zone}::text`,
    );
  if (filter.to !== undefined)
    where.push(
      `turn.created_at < (${bind(filter.to)}::date + 1)::timestamp AT TIME ZONE ${zone}::text`,
    );
  if (filter.rating !== undefined) where.push(ratings[filter.rating]);
  const words = wordsOf(filter.search ?? "");
  if (words.length > 0)
    where.push(
      `turn.id IN (
        SELECT turn_id FROM turn_word WHERE words @@ ${bind(buildQuery("everyone", words))}::tsquery
      )`,
    );
  return { where: where.join(" AND "), values };
}
