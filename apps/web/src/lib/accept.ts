import { ApiError } from "./api.ts";

/** Throws if the outcome of a reply is a refusal. */
export function accept({ success }: { success: boolean }): void {
  if (!success) throw new ApiError(200);
}
