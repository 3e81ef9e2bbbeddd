import type { RunStep } from "@carrel/contracts";

/** The call ended without having been made, or nobody knows how. */
export class CallEnded extends Error {
  override readonly name = "CallEnded";

  /** @param message for the model */
  constructor(
    message: string,
    readonly part: Partial<RunStep> & Pick<RunStep, "state">,
  ) {
    super(message);
  }
}
