import { ApiError } from "./api.ts";

const proofFaults = new Set([
  "password.wrong",
  "password.none",
  "password.confirmation-due",
  "password.sign-in-due",
  "second-factor.code-due",
  "second-factor.code-wrong",
]);

/** Whether the current password or the one-time code is at fault, which confirm a change of access. */
export const isProofFault = (error: Error | null): boolean =>
  error instanceof ApiError && proofFaults.has(error.fault?.code ?? "");
