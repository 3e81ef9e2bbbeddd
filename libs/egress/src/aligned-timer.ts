const waiting = new Map<number, (() => void)[]>();

/**
 * Calls back halfway between two multiples of `periodMs`, together with everything else that has
 * the same period: one timer per stream would cost more than the work it triggers. Texts are sent
 * on at the multiples (`Coalescer` in services/chat).
 */
export function onAlignedTick(periodMs: number, call: () => void): void {
  const calls = waiting.get(periodMs);
  if (calls !== undefined) {
    calls.push(call);
    return;
  }
  waiting.set(periodMs, [call]);
  setTimeout(() => {
    const due = waiting.get(periodMs) ?? [];
    waiting.delete(periodMs);
    for (const each of due) each();
  }, untilTick(periodMs));
}

const untilTick = (periodMs: number): number =>
  Math.ceil(periodMs - ((performance.now() + periodMs / 2) % periodMs));
