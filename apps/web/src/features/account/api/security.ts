import {
  confirmSecondFactor,
  endSession,
  listSessions,
  removeSecondFactor,
  renewRecoveryCodes,
  startSecondFactor,
  type Args,
} from "@carrel/contracts";
import { queryOptions, useMutation } from "@tanstack/react-query";
import i18next from "i18next";
import { call } from "../../../lib/api.ts";
import { refreshCurrentUser } from "../../../lib/current-user.ts";
import { optimistic } from "../../../lib/query-client.ts";

/** Confirms changes to how the account is accessed. */
export type OwnerProof = Args<typeof removeSecondFactor>;

const sessionKeys = { list: ["sessions"] } as const;

/**
 * Secrets and recovery codes are dropped from the mutation cache when the form that shows them
 * unmounts.
 */
const secret = { gcTime: 0, meta: { errorToast: false } } as const;

/** Returns new recovery codes and revokes the old ones. */
export const useRenewRecoveryCodes = () =>
  useMutation({
    mutationFn: async (proof: OwnerProof): Promise<string[]> => {
      const reply = await call(renewRecoveryCodes, proof);
      return reply.recoveryCodes;
    },
    ...secret,
  });

/** Returns a secret for the authenticator app. It takes effect with `useConfirmSecondFactor`. */
export const useStartSecondFactor = () =>
  useMutation({
    mutationFn: async (proof: OwnerProof): Promise<{ secret: string; uri: string }> => {
      const reply = await call(startSecondFactor, proof);
      return { secret: reply.secret, uri: reply.uri };
    },
    ...secret,
  });

/** Enables one-time codes. Returns new recovery codes if too few were left, otherwise none. */
export const useConfirmSecondFactor = () =>
  useMutation({
    mutationFn: async (code: string): Promise<string[]> => {
      const reply = await call(confirmSecondFactor, { code });
      await refreshCurrentUser();
      return reply.recoveryCodes ?? [];
    },
    ...secret,
  });

export const useRemoveSecondFactor = () =>
  useMutation({
    mutationFn: async (proof: OwnerProof) => {
      await call(removeSecondFactor, proof);
      await refreshCurrentUser();
    },
    ...secret,
  });

export const sessionsQuery = queryOptions({
  queryKey: sessionKeys.list,
  staleTime: 0,
  queryFn: ({ signal }) => call(listSessions, {}, { signal }),
  select: (reply) => reply.sessions,
});

/** Revokes one of the user's own sessions; `others` revokes all but the current one. */
export const useEndSession = () =>
  useMutation({
    mutationFn: async (id: string) => {
      const { success } = await call(endSession, { id });
      if (!success) throw new Error("");
    },
    ...optimistic(sessionsQuery.queryKey, (reply, id: string) => ({
      ...reply,
      sessions: reply.sessions.filter((session) =>
        id === "others" ? session.current : session.id !== id,
      ),
    })),
    meta: {
      invalidates: [sessionKeys.list],
      errorToast: (message) => i18next.t("account:sessions.failed", { message }),
    },
  });
