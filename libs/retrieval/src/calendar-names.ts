import { fold } from "./fold.ts";

/** Languages with Latin, Cyrillic or Greek letters. */
const calendarLanguages = [
  "en",
  "de",
  "fr",
  "es",
  "it",
  "pt",
  "nl",
  "sv",
  "da",
  "nb",
  "fi",
  "hu",
  "ro",
  "tr",
  "id",
  "ru",
  "uk",
  "el",
];
let calendar: ReadonlySet<string> | undefined;

/** Names of months and weekdays, folded; weekdays also in the plural. */
export function calendarNames(): ReadonlySet<string> {
  if (calendar) return calendar;
  const names = new Set<string>();
  for (const language of calendarLanguages) {
    // Formatted with a day, so that the month has the case it has in a sentence.
    const month = new Intl.DateTimeFormat(language, {
        month: "long",
        day: "numeric",
        timeZone: "UTC",
      }),
      alone = new Intl.DateTimeFormat(language, { month: "long", timeZone: "UTC" }),
      weekday = new Intl.DateTimeFormat(language, { weekday: "long", timeZone: "UTC" });
    for (let n = 0; n < 12; n++) {
      for (const format of [month, alone])
        for (const word of fold(format.format(Date.UTC(2024, n, 1))).match(/\p{L}{3,}/gu) ?? [])
          names.add(word);
      for (const word of fold(weekday.format(Date.UTC(2024, 0, 1 + (n % 7)))).match(
        /\p{L}{3,}/gu,
      ) ?? []) {
        names.add(word);
        names.add(`${word}s`);
      }
    }
  }
  return (calendar = names);
}
