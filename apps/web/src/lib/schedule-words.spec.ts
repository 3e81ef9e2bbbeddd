import { afterEach, expect, it } from "@jest/globals";
import { sayCron } from "./cron-words.ts";
import { sayDay, weekDays } from "./schedule-words.ts";

const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));
/** Without the spaces that `Intl` keeps from breaking. */
const plain = (words: string | null): string | undefined => words?.replaceAll(/\s/g, " ");
/** An expression in words, once those of the language have arrived. */
async function say(cron: string, tag: string): Promise<string | undefined> {
  sayCron(cron, tag);
  for (let turn = 0; turn < 50; turn += 1) await settle();
  return plain(sayCron(cron, tag));
}

const office = "*/15 9-17 * * 1-5";

afterEach(() => {
  document.documentElement.lang = "en";
});

it("says cron expressions in English until a language's words are there", async () => {
  expect(plain(sayCron(office, "de"))).toBe(
    "Every 15 minutes, between 9:00 AM and 5:59 PM, Monday through Friday",
  );
  expect(await say(office, "de")).toBe(
    "Alle 15 Minuten, zwischen 09:00 und 17:59, Montag bis Freitag",
  );
  expect(plain(sayCron("0 8 1,15 * *", "en"))).toBe("At 8:00 AM, on day 1 and 15 of the month");
  expect(sayCron("every day", "de")).toBeNull();
});

it.each([
  ["da", "Hvert 15. minut, mellem 09.00 og 17.59, mandag til og med fredag"],
  ["fa", "هر ۱۵ دقیقه، بین ۹:۰۰ و ۱۷:۵۹، دوشنبه تا جمعه"],
  ["pt-BR", "A cada 15 minutos, entre 09:00 e 17:59, de segunda-feira a sexta-feira"],
  ["zh", "每隔 15 分钟，在 09:00 和 17:59 之间，星期一至星期五"],
  ["zh-TW", "每 15 分鐘，在 上午9:00 和 下午5:59 之間，星期一 到 星期五"],
])("writes times, digits and commas as the language does: %s", async (tag, words) => {
  expect(await say(office, tag)).toBe(words);
});

it.each(["ar", "es", "fr", "he", "it", "ko", "nl", "ru", "tr", "vi"])(
  "has words in %s",
  async (tag) => {
    expect(await say(office, tag)).not.toBe(plain(sayCron(office, "en")));
  },
);

it("lists the days of the week from the language's first", () => {
  const listed = (tag: string): string[] => {
    document.documentElement.lang = tag;
    return weekDays().map((day) => sayDay(day, "short"));
  };
  expect(listed("en")).toEqual(["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]);
  expect(listed("de")).toEqual(["Mo", "Di", "Mi", "Do", "Fr", "Sa", "So"]);
  expect(listed("fa")[0]).toBe("شنبه");
});
