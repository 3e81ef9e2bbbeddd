import { listCredentialNames, type FlowStep, type KnownFault } from "@carrel/contracts";
import { toolFault } from "../tool-fault.ts";
import type { ToolError } from "../tool.ts";

/** The flow that a block is in. */
export interface BlockFlow {
  /** Null if it was never saved. */
  id: string | null;
  /** The names of all credentials that its blocks refer to. */
  credentials: readonly string[];
}

export const flowOf = (id: string | null, steps: readonly FlowStep[]): BlockFlow => ({
  id,
  credentials: listCredentialNames(JSON.stringify(steps)),
});

/** What went wrong in a block. */
export const blockFault = (
  block: string,
  reason: string | KnownFault,
  cause?: unknown,
): ToolError => toolFault({ code: "flow.block-failed", params: { block, reason } }, "", cause);
