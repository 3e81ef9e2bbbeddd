import { renderFault, type KnownFault } from "@carrel/contracts";
import { ToolError } from "./tool.ts";

/** A tool's error from a fault. @param advice what the model can do about it; people don't see it */
export const toolFault = (fault: KnownFault, advice = "", cause?: unknown): ToolError =>
  new ToolError(
    `${renderFault(fault)} ${advice}`.trimEnd(),
    fault,
    cause === undefined ? undefined : { cause },
  );
