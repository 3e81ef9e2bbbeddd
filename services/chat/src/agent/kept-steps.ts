import { CarrelError } from "@carrel/contracts";
import { noTokens } from "@carrel/providers";
import type { EntityManager } from "typeorm";
import { loadSteps, toJson, type StoredStep } from "./run-step.repository.ts";

/** The steps that a retry keeps; none unless it is one from a step. Throws `turn.step-not-found`. */
export async function readKeptSteps(
  manager: EntityManager,
  { replaces, fromStep }: { replaces: number | null; fromStep: number | null },
): Promise<StoredStep[]> {
  if (fromStep === null) return [];
  const kept =
    replaces === null ? null : listStepsBefore(await loadSteps(manager, replaces), fromStep);
  if (kept === null) throw new CarrelError("turn.step-not-found");
  return kept;
}

/** Records steps of an earlier version as those of a new one, whose run goes on from them. */
export async function keepSteps(
  manager: EntityManager,
  turnId: number,
  steps: readonly StoredStep[],
): Promise<void> {
  if (steps.length === 0) return;
  await manager.query(
    `INSERT INTO chat.run_step (turn_id, position, kind, call, result, ended_at)
    SELECT $1, s.position, s.kind, s.call::json, s.result::json,
      CASE WHEN s.kind = 'tool' THEN now() END
    FROM unnest($2::int[], $3::text[], $4::text[], $5::text[]) AS s(position, kind, call, result)`,
    [
      turnId,
      steps.map(({ position }) => position),
      steps.map(({ kind }) => kind),
      steps.map(({ call }) => toJson(call)),
      steps.map((step) => (step.kind === "tool" ? toJson(step.result) : null)),
    ],
  );
}

/**
 * The steps before a call, up to the first that hasn't ended; null if there is no such call. A reply
 * with several calls keeps those before it; a reply that would keep none is written anew. What was
 * allowed for the rest of the answer, and what the steps cost, belongs to the version they were
 * made for.
 */
function listStepsBefore(rows: readonly StoredStep[], step: number): StoredStep[] | null {
  const at = rows.findIndex((row) => row.kind === "tool" && row.result.step.id === step);
  if (at === -1) return null;
  const open = rows.findIndex((row) => row.kind === "tool" && row.result.text === null);
  const kept = rows.slice(0, open === -1 ? at : Math.min(at, open));
  while (kept.at(-1)?.kind === "model") kept.pop();
  const ids = new Set(kept.map((row) => (row.kind === "tool" ? row.call.id : "")));
  return kept.map((row): StoredStep => {
    if (row.kind === "tool") {
      const { approvalKey: _, ...result } = row.result;
      return { ...row, result, decision: null, answers: null };
    }
    const parts = row.call.parts.filter((part) => part.type !== "tool-call" || ids.has(part.id));
    return { ...row, call: { ...row.call, parts, tokens: noTokens } };
  });
}
