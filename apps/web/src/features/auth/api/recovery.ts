import { recoverAccount, resetPassword } from "@carrel/contracts";
import { ApiError, call } from "../../../lib/api.ts";
import { keys, readStored, writeStored } from "../../../lib/session-storage.ts";

/** The server's own words, or null where the call itself failed. */
export const wordsOf = (error: unknown): string | null =>
  error instanceof ApiError && error.status >= 400 && error.status < 500 ? error.message : null;

/**
 * Exchanges recovery codes for the token that sets a new password, and keeps it. Empty codes are
 * dropped. Throws ApiError.
 */
export async function recover(username: string, codes: string[]): Promise<void> {
  const { resetToken } = await call(
    recoverAccount,
    { username, recoveryCodes: codes.map((code) => code.trim()).filter((code) => code !== "") },
    { expects401: true },
  );
  writeStored(keys.resetToken, resetToken);
}

export const readResetToken = (): string | null => readStored(keys.resetToken);
export const dropResetToken = (): void => writeStored(keys.resetToken, null);

/** Sets the new password; the token is for one use. Throws ApiError. */
export async function setNewPassword(
  token: string,
  newPassword: string,
  confirmPassword: string,
): Promise<void> {
  await call(resetPassword, { token, newPassword, confirmPassword }, { expects401: true });
  dropResetToken();
}
