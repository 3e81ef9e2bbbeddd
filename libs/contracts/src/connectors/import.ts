import { z } from "zod";
import { defineEvent, defineJob, type Contracts } from "../operation.ts";

/** Fetches the items of an import that aren't documents yet, and registers each with ingest. */
export const runImport = defineJob({
  name: "import.run",
  service: "connectors",
  queue: "import",
  payload: z.object({ importId: z.uuid() }),
  attempts: 3,
  backoffMs: 1_000,
});

/**
 * Wakes requests that wait for an import. Broadcast only: the outcome is in PostgreSQL, which they
 * also poll.
 */
export const importFinished = defineEvent({
  name: "import.finished",
  service: "connectors",
  consumers: [],
  payload: z.object({ importId: z.uuid() }),
});

export const importContracts: Contracts = {
  operations: [],
  jobs: [runImport],
  events: [importFinished],
};
