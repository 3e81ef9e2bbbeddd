import { CarrelError, renderFault, type KnownFault } from "@carrel/contracts";
import { ToolError } from "./tool.ts";

/** A tool's error from a fault. @param advice what the model can do about it; people don't see it */
export const toolFault = (fault: KnownFault, advice = "", cause?: unknown): ToolError =>
  new ToolError(
    `${renderFault(fault)} ${advice}`.trimEnd(),
    fault,
    cause === undefined ? undefined : { cause },
  );

/** Waits for a service; what it refuses becomes a ToolError. */
export async function withToolFaults<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (fault) {
    if (!(fault instanceof CarrelError)) throw fault;
    throw new ToolError(fault.message, fault.toFault(), { cause: fault });
  }
}
