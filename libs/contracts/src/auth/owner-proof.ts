import { z } from "zod";

const password = z.string().max(1024).default("");
const code = z.string().max(64).default("");

/**
 * Fields that confirm a change to how one's own account is accessed: its password and, with
 * two-factor authentication, a one-time code. Not needed within ten minutes after signing in
 * or `confirmSession`.
 */
export const ownerProof = { password, code };

/** The same, next to a new password. */
export const currentProof = { currentPassword: password, code };

/** The same for an instance without accounts, whose password has no second factor. */
export const instanceProof = { currentPassword: password };
