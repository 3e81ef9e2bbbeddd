import type { ScheduleTiming } from "@carrel/contracts";
import type { TFunction } from "i18next";
import { isCron, sayClock, sayCron } from "./cron-words.ts";
import { isZone, readTiming } from "./schedule-timing.ts";

type T = TFunction<"schedules">;

const language = (): string => document.documentElement.lang || "en";

/** "Monday", or "Mon". 0 is Sunday. */
export const sayDay = (day: number, weekday: "long" | "short" = "long"): string =>
  new Intl.DateTimeFormat(language(), { weekday, timeZone: "UTC" }).format(
    new Date(Date.UTC(2000, 0, 2 + day)),
  );

/** The days of a week in the language's order: 0 is Sunday. Monday first if the browser doesn't know. */
export function weekDays(): number[] {
  const locale: Intl.Locale & { getWeekInfo?: () => { firstDay: number } } = new Intl.Locale(
    language(),
  );
  const first = locale.getWeekInfo?.().firstDay ?? 1;
  return Array.from({ length: 7 }, (_, index) => (first + index) % 7);
}

/**
 * "Mon, Dec 7, 8:00 AM" in the schedule's time zone, with the year unless it is this one.
 * `withZone` adds "GMT+1".
 */
export function sayTime(iso: string, timeZone: string, withZone = false): string {
  const time = new Date(iso);
  return new Intl.DateTimeFormat(language(), {
    weekday: "short",
    day: "numeric",
    month: "short",
    ...(time.getFullYear() === new Date().getFullYear() ? {} : { year: "numeric" }),
    hour: "numeric",
    minute: "2-digit",
    timeZone,
    ...(withZone && { timeZoneName: "short" }),
  }).format(time);
}

/** "in 3 hours", "tomorrow"; `t` for less than a minute. */
export function sayUntil(t: T, iso: string, now = Date.now()): string {
  const seconds = (Date.parse(iso) - now) / 1_000;
  const relative = new Intl.RelativeTimeFormat(language(), { numeric: "auto" });
  if (seconds < 60) return t("now");
  if (seconds < 3_600) return relative.format(Math.round(seconds / 60), "minute");
  if (seconds < 86_400) return relative.format(Math.round(seconds / 3_600), "hour");
  const days = Math.round(seconds / 86_400);
  return days < 60 ? relative.format(days, "day") : relative.format(Math.round(days / 30), "month");
}

/** When a schedule runs, in words, without its time zone. */
export function sayTiming(t: T, timing: ScheduleTiming): string {
  const when = readTiming(timing);
  const time = sayClock(when.time, language());
  switch (when.repeat) {
    case "hour":
      return when.minute === 0 ? t("words.hour") : t("words.hourAt", { count: when.minute });
    case "day":
      return t("words.day", { time });
    case "weekday":
      return t("words.weekday", { time });
    case "week": {
      const named = weekDays().filter((day) => when.days.includes(day));
      const days = new Intl.ListFormat(language()).format(named.map((day) => sayDay(day)));
      return t("words.week", { days, time });
    }
    case "month":
      return t("words.month", { count: when.day, ordinal: true, time });
    case "once": {
      const date = new Intl.DateTimeFormat(language(), { dateStyle: "medium", timeZone: "UTC" });
      return t("words.once", { date: date.format(new Date(`${when.date}T00:00:00Z`)), time });
    }
    case "custom":
      return sayCron(when.cron, language()) ?? when.cron;
  }
}

/** A cron expression, or a time in ISO 8601, as agents write it. */
export const timingIn = (schedule: string, timeZone: string): ScheduleTiming =>
  /^\d{4}-/.test(schedule)
    ? { kind: "once", at: schedule, timeZone }
    : { kind: "cron", cron: schedule, timeZone };

/** The same in words; null if it isn't valid. */
export function sayWritten(t: T, schedule: string, timeZone: string): string | null {
  if (!isZone(timeZone)) return null;
  const timing = timingIn(schedule, timeZone);
  const isValid =
    timing.kind === "cron" ? isCron(timing.cron) : !Number.isNaN(Date.parse(timing.at));
  return isValid ? sayTiming(t, timing) : null;
}
