import { acceptInvite, getInvite, type Args } from "@carrel/contracts";
import { useMutation } from "@tanstack/react-query";
import { call } from "../../../lib/api.ts";

/** Why an invitation cannot be accepted, in the server's words; null if it can. */
export async function refusalOfInvite(code: string): Promise<string | null> {
  const { invite, error } = await call(getInvite, { code }, { expects401: true });
  return invite?.status === "pending" ? null : (error ?? "");
}

/** Creates the account. */
export const useAcceptInvite = () =>
  useMutation({
    mutationFn: (input: Args<typeof acceptInvite>) =>
      call(acceptInvite, input, { expects401: true }),
    meta: { errorToast: false },
  });
