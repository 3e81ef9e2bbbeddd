import { enableMultiUser, updatePassword, type Args } from "@carrel/contracts";
import { useMutation } from "@tanstack/react-query";
import { call } from "../../../lib/api.ts";

/** Sets the instance password; null removes it. */
export const useSetPassword = () =>
  useMutation({
    mutationFn: (newPassword: string | null) =>
      call(
        updatePassword,
        newPassword === null ? { usePassword: false } : { usePassword: true, newPassword },
      ),
    meta: { errorToast: false },
  });

/** Creates the first admin and permanently switches the instance to user accounts. */
export const useEnableUserAccounts = () =>
  useMutation({
    mutationFn: (credentials: Args<typeof enableMultiUser>) => call(enableMultiUser, credentials),
    meta: { errorToast: false },
  });
