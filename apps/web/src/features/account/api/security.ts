import {
  confirmSecondFactor,
  endSession,
  listSessions,
  removeSecondFactor,
  renewRecoveryCodes,
  startSecondFactor,
} from "@carrel/contracts";
import { queryOptions } from "@tanstack/react-query";
import { call } from "../../../lib/api.ts";
import { refreshCurrentUser } from "../../../lib/current-user.ts";
import { queryClient } from "../../../lib/query-client.ts";

const refuse = (reply: { success: boolean; error: string | null }): void => {
  if (!reply.success) throw new Error(reply.error ?? "");
};

/** New recovery codes; the old ones are void. Throws with the server's words. */
export async function renewCodes(password: string): Promise<string[]> {
  const reply = await call(renewRecoveryCodes, { password });
  refuse(reply);
  return reply.recoveryCodes;
}

/**
 * A secret for the authenticator app, as text and as otpauth:// address. It does not hold before
 * `confirmFactor`.
 */
export async function startFactor(password: string): Promise<{ secret: string; uri: string }> {
  const reply = await call(startSecondFactor, { password });
  refuse(reply);
  return { secret: reply.secret, uri: reply.uri };
}

/** Turns one-time codes on. Gives new recovery codes where too few were left, else none. */
export async function confirmFactor(code: string): Promise<string[]> {
  const reply = await call(confirmSecondFactor, { code });
  refuse(reply);
  await refreshCurrentUser();
  return reply.recoveryCodes ?? [];
}

export async function removeFactor(password: string): Promise<void> {
  refuse(await call(removeSecondFactor, { password }));
  await refreshCurrentUser();
}

export const sessionsQuery = queryOptions({
  queryKey: ["sessions"],
  queryFn: ({ signal }) => call(listSessions, {}, { signal }),
  select: (reply) => reply.sessions,
});

/** Ends one of the own sessions; `others` all but this one. */
export async function endSessions(id: string): Promise<void> {
  const { success } = await call(endSession, { id });
  await queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey });
  if (!success) throw new Error("");
}
