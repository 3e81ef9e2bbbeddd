import { z } from "zod";

/** In UTF-16 code units. */
export const longestDestination = 2_000;

/**
 * A call that an unattended run may make: approved in advance by its owner, for a schedule, a webhook
 * or the developer API. Everything else that would need an approval is denied.
 */
export const advanceApproval = z.object({
  /**
   * The tool's name; for a flow that is run directly, `@@flow_<uuid>` (its requests), or
   * `carrel-approval` (a block that asks).
   */
  tool: z.string().min(1).max(100),
  /**
   * Where the call goes, as its approval shows it; for requests of a flow the origin of the address,
   * such as `https://api.example.com`, and for its approval blocks their ID (with
   * `carrel-approval:` before it if an agent runs the flow). Null: a call without a
   * destination.
   */
  destination: z.string().max(longestDestination).nullable(),
});
export type AdvanceApproval = z.infer<typeof advanceApproval>;

export const advanceApprovals = z.array(advanceApproval).max(100);
