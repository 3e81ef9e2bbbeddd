import { enableMultiUser, updatePassword, type Args } from "@carrel/contracts";
import { useMutation } from "@tanstack/react-query";
import { call } from "./api.ts";

/** Sets the instance password; null removes it. `currentPassword` confirms the change. */
export const useSetPassword = () =>
  useMutation({
    mutationFn: ({
      newPassword,
      currentPassword,
    }: {
      newPassword: string | null;
      currentPassword: string;
    }) =>
      call(updatePassword, {
        ...(newPassword === null ? { usePassword: false } : { usePassword: true, newPassword }),
        currentPassword,
      }),
    gcTime: 0,
    meta: { errorToast: false },
  });

/** Creates the first admin and permanently switches the instance to user accounts. */
export const useEnableUserAccounts = () =>
  useMutation({
    mutationFn: (credentials: Args<typeof enableMultiUser>) => call(enableMultiUser, credentials),
    gcTime: 0,
    meta: { errorToast: false },
  });
