import { recoverAccount, resetPassword } from "@carrel/contracts";
import { useMutation } from "@tanstack/react-query";
import i18next from "i18next";
import { ApiError, call } from "../../../lib/api.ts";
import { keys, readStored, writeStored } from "../../../lib/session-storage.ts";

const isRefusal = (error: unknown): boolean =>
  error instanceof ApiError && error.status >= 400 && error.status < 500;

/** Exchanges recovery codes for a password reset token, and stores it. */
export const useRecoverAccount = () =>
  useMutation({
    mutationFn: async ({ username, codes }: { username: string; codes: string[] }) => {
      const recoveryCodes = codes.map((code) => code.trim()).filter((code) => code !== "");
      const { resetToken } = await call(
        recoverAccount,
        { username, recoveryCodes },
        { expects401: true },
      ).catch((error: unknown) => {
        throw isRefusal(error) ? error : new Error(i18next.t("auth:recover.failed"));
      });
      writeStored(keys.resetToken, resetToken);
    },
  });

const readResetToken = (): string | null => readStored(keys.resetToken);
export const dropResetToken = (): void => writeStored(keys.resetToken, null);

/** Sets a new password with the stored token, which works once. */
export const useResetPassword = () =>
  useMutation({
    mutationFn: async (passwords: { newPassword: string; confirmPassword: string }) => {
      const token = readResetToken();
      if (!token) throw new Error(i18next.t("auth:reset.noToken"));
      await call(resetPassword, { token, ...passwords }, { expects401: true }).catch(
        (error: unknown) => {
          throw isRefusal(error) ? error : new Error(i18next.t("auth:reset.failed"));
        },
      );
      dropResetToken();
    },
  });
