import type { ScheduleTiming } from "@carrel/contracts";
import { TZDate } from "@date-fns/tz";

export const repeats = ["hour", "day", "weekday", "week", "month", "once", "custom"] as const;
export type Repeat = (typeof repeats)[number];

/** When a schedule runs, as its form has it; only the fields of its `repeat` count. */
export interface When {
  repeat: Repeat;
  /** HH:MM. */
  time: string;
  /** Of each hour. */
  minute: number;
  /** Of the week, 0 is Sunday. */
  days: number[];
  /** Of the month. */
  day: number;
  /** YYYY-MM-DD. */
  date: string;
  cron: string;
  zone: string;
}

const two = (value: number): string => String(value).padStart(2, "0");
const clock = (hour: string, minute: string): string =>
  `${two(Number(hour))}:${two(Number(minute))}`;
const dateIn = (time: Date, zone: string): string => {
  const local = new TZDate(time, zone);
  return `${local.getFullYear()}-${two(local.getMonth() + 1)}-${two(local.getDate())}`;
};

export const browserZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Whether the browser knows the time zone. */
export function isZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}

export const newWhen = (zone: string, now = new Date()): When => ({
  repeat: "weekday",
  time: "08:00",
  minute: 0,
  days: [1],
  day: 1,
  date: dateIn(new Date(now.getTime() + 86_400_000), zone),
  cron: "0 8 * * MON-FRI",
  zone,
});

const names = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"];
/** The days of a cron field such as `1,3` or `MON-FRI`; null if it has anything else. */
function daysOf(field: string): number[] | null {
  const numberOf = (text: string): number =>
    /^[0-7]$/.test(text) ? Number(text) % 7 : names.indexOf(text.toUpperCase());
  const days = new Set<number>();
  for (const part of field.split(",")) {
    const [from, to = from, ...rest] = part.split("-").map(numberOf);
    if (from === undefined || to === undefined || from < 0 || to < from || rest.length > 0)
      return null;
    for (let day = from; day <= to; day += 1) days.add(day);
  }
  return [...days].sort((one, other) => one - other);
}

const macros: Readonly<Record<string, string>> = {
  "@hourly": "0 * * * *",
  "@daily": "0 0 * * *",
  "@midnight": "0 0 * * *",
  "@weekly": "0 0 * * 0",
  "@monthly": "0 0 1 * *",
};

const isUpTo = (text: string, most: number): boolean =>
  /^\d{1,2}$/.test(text) && Number(text) <= most;

/** The simple choices that say the same as a cron expression; null if none does. */
function readCron(cron: string): Partial<When> | null {
  const [minute = "", hour = "", day = "", month, week = "", ...rest] = (
    macros[cron.toLowerCase()] ?? cron
  ).split(/\s+/);
  if (month !== "*" || rest.length > 0 || !isUpTo(minute, 59)) return null;
  if (hour === "*" && day === "*" && week === "*")
    return { repeat: "hour", minute: Number(minute) };
  if (!isUpTo(hour, 23)) return null;
  const time = clock(hour, minute);
  if (day === "*" && week === "*") return { repeat: "day", time };
  if (week === "*")
    return isUpTo(day, 31) && Number(day) > 0 ? { repeat: "month", time, day: Number(day) } : null;
  const days = day === "*" ? daysOf(week) : null;
  if (days === null) return null;
  return days.join() === "1,2,3,4,5" ? { repeat: "weekday", time } : { repeat: "week", time, days };
}

/** A timing as the form shows it. */
export function readTiming(timing: ScheduleTiming): When {
  const zone = timing.timeZone;
  const base = newWhen(zone);
  if (timing.kind === "cron")
    return { ...base, cron: timing.cron, ...(readCron(timing.cron) ?? { repeat: "custom" }) };
  const at = new TZDate(new Date(timing.at), zone);
  return {
    ...base,
    repeat: "once",
    date: dateIn(at, zone),
    time: `${two(at.getHours())}:${two(at.getMinutes())}`,
  };
}

/** What the form's choices mean; null while one is missing. */
export function timingOf(when: When): ScheduleTiming | null {
  const { zone: timeZone } = when;
  if (!isZone(timeZone)) return null;
  if (when.repeat === "custom")
    return when.cron.trim() === "" ? null : { kind: "cron", cron: when.cron.trim(), timeZone };
  if (when.repeat === "hour") return { kind: "cron", cron: `${when.minute} * * * *`, timeZone };
  const [hour, minute] = when.time.split(":").map(Number);
  if (hour === undefined || minute === undefined || Number.isNaN(hour)) return null;
  if (when.repeat === "once") {
    const [year, month, day] = when.date.split("-").map(Number);
    if (!year || !month || !day) return null;
    // A time that clocks skip is the one after the change.
    const at = new TZDate(year, month - 1, day, hour, minute, timeZone);
    return { kind: "once", at: at.toISOString(), timeZone };
  }
  const days = {
    day: "* * *",
    weekday: "* * MON-FRI",
    week: when.days.length === 0 ? null : `* * ${when.days.map((day) => names[day]).join(",")}`,
    month: `${when.day} * *`,
  }[when.repeat];
  return days === null ? null : { kind: "cron", cron: `${minute} ${hour} ${days}`, timeZone };
}
