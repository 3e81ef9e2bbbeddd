import { acceptInvite, getInvite, type Args } from "@carrel/contracts";
import { useMutation } from "@tanstack/react-query";
import { call, isRefusal } from "../../../lib/api.ts";
import { errorMessage } from "../../../lib/fault.ts";

/** Why an invitation can't be accepted; null if it can. */
export async function refusalOfInvite(code: string): Promise<string | null> {
  try {
    await call(getInvite, { code }, { expects401: true });
    return null;
  } catch (error) {
    if (isRefusal(error)) return errorMessage(error);
    throw error;
  }
}

/** Creates the account. */
export const useAcceptInvite = () =>
  useMutation({
    mutationFn: (input: Args<typeof acceptInvite>) =>
      call(acceptInvite, input, { expects401: true }),
    meta: { errorToast: false },
  });
