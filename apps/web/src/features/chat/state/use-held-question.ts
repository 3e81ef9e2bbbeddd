import { useEffect, useEffectEvent } from "react";

/**
 * Sends a question that was held until its attached files had been read, or releases it into the
 * field if one of them couldn't be read. `send` releases it too.
 */
export function useHeldQuestion(
  isHeld: boolean,
  { unread, hasUnreadable }: { unread: string[]; hasUnreadable: boolean },
  { send, release }: { send: () => void; release: () => void },
): void {
  const isReady = unread.length === 0;
  const end = useEffectEvent(() => (hasUnreadable ? release() : send()));
  useEffect(() => {
    if (isHeld && isReady) end();
  }, [isHeld, isReady]);
}
