import { enableMultiUser, updatePassword } from "@carrel/contracts";
import { call } from "../../../lib/api.ts";

/** Sets the instance's password, or with null removes it; throws with the server's reason. */
export async function setPassword(newPassword: string | null): Promise<void> {
  const { success, error } = await call(
    updatePassword,
    newPassword === null ? { usePassword: false } : { usePassword: true, newPassword },
  );
  if (!success) throw new Error(error ?? "");
}

/**
 * Makes the first admin and switches the instance to user accounts, for good; throws with the
 * server's reason.
 */
export async function switchToUserAccounts(credentials: {
  username: string;
  password: string;
}): Promise<void> {
  const { success, error } = await call(enableMultiUser, credentials);
  if (!success) throw new Error(error ?? "");
}
