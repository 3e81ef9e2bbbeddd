/** A day in the reader's time zone, as YYYY-MM-DD. */
const dayOf = (date: Date): string =>
  [date.getFullYear(), date.getMonth() + 1, date.getDate()]
    .map((part) => String(part).padStart(2, "0"))
    .join("-");

/** The last days, including today. */
export function lastDays(days: number, now = new Date()): { from: string; to: string } {
  const first = new Date(now.getFullYear(), now.getMonth(), now.getDate() - days + 1);
  return { from: dayOf(first), to: dayOf(now) };
}

/** Maximum number of bars drawn. */
const maxDays = 400;

/** Every day of a period, for a chart without gaps. */
export function daysBetween(from: string, to: string): string[] {
  const days: string[] = [];
  const [year, month, day] = from.split("-").map(Number) as [number, number, number];
  for (let offset = 0; offset < maxDays; offset += 1) {
    const next = dayOf(new Date(year, month - 1, day + offset));
    if (next > to) break;
    days.push(next);
  }
  return days;
}
