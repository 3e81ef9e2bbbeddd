import type { memoryLimits } from "@carrel/contracts";

/**
 * As the contracts have them: the built app holds only their operations, and the type keeps these
 * the same.
 */
export const limits: typeof memoryLimits = { global: 5, workspace: 20, characters: 500 };
