/** Requests that `early-start.ts` sent before the app's code arrived, by URL. */
interface EarlyReplies {
  /** The session with which they were sent. */
  token: string | null;
  replies: Map<string, Promise<Response>>;
}
declare global {
  var carrelEarly: EarlyReplies | undefined;
}

/**
 * The reply to a request already sent for this session; null if there is none. Each is used once.
 */
export function takeEarlyReply(url: string, token: string | null): Promise<Response> | null {
  const early = globalThis.carrelEarly;
  if (early?.token !== token) return null;
  const reply = early.replies.get(url) ?? null;
  early.replies.delete(url);
  return reply;
}

/** Whether the app's first page is still loading. */
export const isFirstPage = (): boolean => globalThis.carrelEarly !== undefined;

/** Unused replies would be stale later. */
export const dropEarlyReplies = (): void => {
  globalThis.carrelEarly = undefined;
};
