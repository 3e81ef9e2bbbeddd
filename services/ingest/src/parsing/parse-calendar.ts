import { readContentLines, unescapeText, type ContentLine } from "./content-lines.ts";
import { cleanText } from "./decode-text.ts";
import { parseText } from "./parse-text.ts";
import type { ParsedText } from "./parsed-document.ts";
import { TextBuilder } from "./text-builder.ts";

const entries = new Map([
  ["VEVENT", "Event"],
  ["VTODO", "Task"],
  ["VJOURNAL", "Note"],
]);

/** `20261130T093000Z` as `2026-11-30 09:30 UTC`; a date alone stays one. */
function writeDate(value: string): string {
  const [, year, month, day, hour, minute, utc] =
    /^(\d{4})-?(\d{2})-?(\d{2})(?:T(\d{2}):?(\d{2})(?::?\d{2})?(Z)?)?/.exec(value) ?? [];
  if (year === undefined) return value;
  const date = `${year}-${month}-${day}`;
  return hour === undefined ? date : `${date} ${hour}:${minute}${utc ? " UTC" : ""}`;
}

const writeTime = ({ value, params }: ContentLine): string => {
  const zone = params.get("TZID");
  const written = value.split(",").map(writeDate).join(", ");
  return zone === undefined || !/\d:\d/.test(written) ? written : `${written} (${zone})`;
};

/** A duration such as `PT1H30M` in words. */
function writeDuration(value: string): string {
  const [, weeks, days, hours, minutes] =
    /^[+-]?P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:\d+S)?)?$/.exec(value) ?? [];
  const parts = [
    [weeks, "weeks"],
    [days, "days"],
    [hours, "hours"],
    [minutes, "minutes"],
  ].filter(([n]) => n !== undefined);
  return parts.length === 0 ? value : parts.map((part) => part.join(" ")).join(" ");
}

/** A person by name and address. */
function writePerson({ value, params }: ContentLine): string {
  const address = value.replace(/^mailto:/i, "");
  const name = params.get("CN") ?? "";
  const answer = (params.get("PARTSTAT") ?? "").toLowerCase().replace("needs-action", "");
  const person = name === "" || name === address ? address : `${name} <${address}>`;
  return answer === "" ? person : `${person} (${answer})`;
}

/** Properties read of an event, in the order in which they are written. */
const fields: [label: string, names: string[], write: (line: ContentLine) => string][] = [
  ["Start", ["DTSTART"], writeTime],
  ["End", ["DTEND"], writeTime],
  ["Due", ["DUE"], writeTime],
  ["Duration", ["DURATION"], ({ value }) => writeDuration(value)],
  ["Repeats", ["RRULE"], ({ value }) => describeRecurrence(value, writeDate)],
  ["Also on", ["RDATE"], writeTime],
  ["Except", ["EXDATE"], writeTime],
  ["Location", ["LOCATION"], ({ value }) => unescapeText(value)],
  ["Organizer", ["ORGANIZER"], writePerson],
  ["Attendees", ["ATTENDEE"], writePerson],
  ["Status", ["STATUS"], ({ value }) => value.toLowerCase()],
  ["Categories", ["CATEGORIES"], ({ value }) => unescapeText(value)],
  ["Link", ["URL"], ({ value }) => value],
];

function addEntry(out: TextBuilder, kind: string, lines: ContentLine[]): void {
  const first = (name: string): string =>
    unescapeText(lines.find((line) => line.name === name)?.value ?? "");
  out.addHeading(first("SUMMARY") || `${kind} without a title`, 1);
  const facts = fields.flatMap(([label, names, write]) => {
    const values = lines.filter(({ name }) => names.includes(name)).map(write);
    return values.length === 0 ? [] : [`${label}: ${values.join(", ")}`];
  });
  out.addParagraph(facts.join("\n"));
  out.addParagraph(first("DESCRIPTION"));
  for (const { name, value } of lines)
    if (name === "COMMENT") out.addParagraph(unescapeText(value));
}

/** The events, tasks and notes of a calendar in the order of the file, each under its title. */
export function parseCalendar(source: string): ParsedText {
  const text = cleanText(source);
  const out = new TextBuilder();
  /** The entry that is open, and what is open inside it, such as an alarm. */
  let kind: string | null = null;
  let inner = 0;
  let lines: ContentLine[] = [];
  for (const line of readContentLines(text)) {
    const component = line.value.trim().toUpperCase();
    if (line.name === "BEGIN") {
      if (kind !== null) inner++;
      else if (entries.has(component)) {
        kind = component;
        lines = [];
      }
    } else if (line.name === "END" && kind !== null) {
      if (inner > 0) inner--;
      else {
        addEntry(out, entries.get(kind)!, lines);
        kind = null;
      }
    } else if (kind !== null && inner === 0) lines.push(line);
  }
  const parsed = out.build();
  return parsed.text === "" ? parseText(text) : parsed;
}

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
