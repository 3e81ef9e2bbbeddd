import type { memoryLimits } from "@carrel/contracts";

/**
 * Copied from the contracts, of which the built app includes only the operations; the type keeps
 * them in sync.
 */
export const limits: typeof memoryLimits = { global: 5, workspace: 20, characters: 500 };
