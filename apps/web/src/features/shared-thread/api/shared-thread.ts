import { readShare, readShareAsUser, type Out } from "@carrel/contracts";
import { infiniteQueryOptions } from "@tanstack/react-query";
import { ApiError, call, type CallOptions } from "../../../lib/api.ts";
import { readToken } from "../../../lib/session-storage.ts";

export type SharedPage = Out<typeof readShare>;

const hasStatus = (error: unknown, status: number): boolean =>
  error instanceof ApiError && error.status === status;

/** The link doesn't exist, no longer works, or needs a session. */
export const isGone = (error: unknown): boolean => hasStatus(error, 404);

/** Whether signing in might open the link. */
export const canSignIn = (): boolean =>
  readToken() === null && document.documentElement.dataset.auth !== "none";

/** Asks as a signed-in user if there is a session, because that opens both kinds of links. */
async function readPage(
  input: { token: string; after: number },
  signal: AbortSignal,
): Promise<SharedPage> {
  const options: CallOptions = { signal, expects401: true };
  if (canSignIn()) return call(readShare, input, options);
  try {
    return await call(readShareAsUser, input, options);
  } catch (error) {
    // The session has ended; the link may be for anyone.
    if (hasStatus(error, 401)) return call(readShare, input, options);
    throw error;
  }
}

const sharedThreadKeys = { one: (token: string) => ["shared-thread", token] } as const;

export const sharedThreadQuery = (token: string) =>
  infiniteQueryOptions({
    queryKey: sharedThreadKeys.one(token),
    queryFn: ({ pageParam, signal }) => readPage({ token, after: pageParam }, signal),
    initialPageParam: 0,
    getNextPageParam: ({ next }) => next,
  });
