import { runImport } from "@carrel/contracts";
import { jobMessage, type OutboxMessage } from "@carrel/messaging";

/** An import runs once, so its version never changes. */
export const importJob = (importId: string): OutboxMessage =>
  jobMessage(runImport, { rowId: importId, version: 1, payload: { importId } });
