/**
 * The earliest position in the gateway's log of changes at which this page has read data: a change
 * stream that starts there has every change that the data may lack.
 */
let earliest: { log: string; time: number } | null = null;
/** Unknown once a reply came without a position, or from another gateway's log. */
let state: "noting" | "unknown" | "taken" = "noting";

/** Notes the position of a reply, which its header names as `<log>.<time>`. */
export function notePosition(position: string | null): void {
  if (state !== "noting") return;
  const [log, time] = position?.split(".") ?? [];
  if (!log || !time || (earliest !== null && earliest.log !== log)) {
    state = "unknown";
    return;
  }
  if (earliest === null || Number(time) < earliest.time) earliest = { log, time: Number(time) };
}

/** The position at which the page's first change stream starts; null later, or if it is unknown. */
export function takePosition(): string | null {
  const isKnown = state === "noting" && earliest !== null;
  state = "taken";
  return isKnown && earliest !== null ? `${earliest.log}.${earliest.time}` : null;
}
