import { ApiError } from "./api.ts";

const proofFaults = new Set([
  "password.wrong",
  "password.none",
  "password.confirmation-due",
  "password.sign-in-due",
  "second-factor.code-due",
  "second-factor.code-wrong",
]);

/** Whether the password or one-time code that confirms a change of access is wrong. */
export const isProofFault = (error: Error | null): boolean =>
  error instanceof ApiError && proofFaults.has(error.fault?.code ?? "");
