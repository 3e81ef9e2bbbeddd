const units = new Map([
  ["SECONDLY", "second"],
  ["MINUTELY", "minute"],
  ["HOURLY", "hour"],
  ["DAILY", "day"],
  ["WEEKLY", "week"],
  ["MONTHLY", "month"],
  ["YEARLY", "year"],
]);
const days = new Map([
  ["MO", "Monday"],
  ["TU", "Tuesday"],
  ["WE", "Wednesday"],
  ["TH", "Thursday"],
  ["FR", "Friday"],
  ["SA", "Saturday"],
  ["SU", "Sunday"],
]);
const months =
  "January February March April May June July August September October November December".split(
    " ",
  );

function ordinal(n: number): string {
  if (n < 0) return n === -1 ? "last" : `${ordinal(-n)} last`;
  const ending = /1[1-3]$/.test(String(n)) ? "th" : (["th", "st", "nd", "rd"][n % 10] ?? "th");
  return `${n}${ending}`;
}

/** For example `2nd Tuesday`. */
function describeDay(day: string): string {
  const [, n = "", name = ""] = /^([-+]?\d{1,2})?([A-Z]{2})$/.exec(day) ?? [];
  const full = days.get(name) ?? day;
  return n === "" ? full : `${ordinal(Number(n))} ${full}`;
}

/**
 * A recurrence rule in words, such as `Every 2 weeks on Monday, Wednesday, 10 times`. `writeDate`
 * writes the last day.
 */
export function describeRecurrence(rule: string, writeDate: (value: string) => string): string {
  const parts = new Map(
    rule
      .toUpperCase()
      .split(";")
      .map((part) => part.split("=", 2) as [string, string | undefined]),
  );
  const list = (name: string): string[] => (parts.get(name) ?? "").split(",").filter(Boolean);
  const unit = units.get(parts.get("FREQ") ?? "");
  if (unit === undefined) return rule;
  const interval = Number(parts.get("INTERVAL")) || 1;
  const words = [interval === 1 ? `Every ${unit}` : `Every ${interval} ${unit}s`];
  const byDay = list("BYDAY").map(describeDay);
  const byMonthDay = list("BYMONTHDAY").map((day) => `${ordinal(Number(day))} day`);
  const byMonth = list("BYMONTH").map((month) => months[Number(month) - 1] ?? month);
  const position = list("BYSETPOS").map((n) => ordinal(Number(n)));
  if (byDay.length > 0)
    words.push(`on ${position.length > 0 ? `the ${position.join(", ")} ` : ""}${byDay.join(", ")}`);
  if (byMonthDay.length > 0) words.push(`on the ${byMonthDay.join(", ")}`);
  if (byMonth.length > 0) words.push(`in ${byMonth.join(", ")}`);
  const count = Number(parts.get("COUNT"));
  const end = parts.has("UNTIL")
    ? ` until ${writeDate(parts.get("UNTIL")!)}`
    : count > 0
      ? `, ${count} times`
      : "";
  return words.join(" ") + end;
}
