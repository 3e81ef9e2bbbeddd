import { acceptInvite, getInvite } from "@carrel/contracts";
import { call } from "../../../lib/api.ts";

/** Why an invitation cannot be accepted, in the server's words; null when it can be. */
export async function refusalOfInvite(code: string): Promise<string | null> {
  const { invite, error } = await call(getInvite, { code }, { expects401: true });
  return invite?.status === "pending" ? null : (error ?? "");
}

/** Makes the account; throws with the server's words when it refuses. */
export async function acceptInvitation(
  code: string,
  username: string,
  password: string,
): Promise<void> {
  const { success, error } = await call(
    acceptInvite,
    { code, username, password },
    { expects401: true },
  );
  if (!success) throw new Error(error ?? "");
}
