import { runConnection } from "@carrel/contracts";
import { jobMessage, type OutboxMessage } from "@carrel/messaging";
import type { ConnectionRun } from "./connection-run.entity.ts";

/** A run's next turn. */
export const runJob = (
  { id, connectionId, turn }: Pick<ConnectionRun, "id" | "connectionId" | "turn">,
  delayMs = 0,
): OutboxMessage =>
  jobMessage(runConnection, {
    rowId: id,
    version: turn,
    payload: { runId: id, connectionId, turn },
    delayMs,
  });
