import { expect, it } from "@jest/globals";
import i18next from "i18next";
import { numberWriter } from "./written-numbers.ts";

const texts = {
  pages: "{{page}} / {{total}}",
  uses: "{{count, number}}",
  two: "{{names, list}}: {{count}}",
  file: "{{name}} {{version}}",
  deep: "{{file.size}}",
  outer: "$t(uses)",
};
/** A text in a language, and in which it is looked up. */
async function say(language: string, key: keyof typeof texts, values: object): Promise<string> {
  const instance = i18next.createInstance();
  await instance.use(numberWriter).init({
    lng: language,
    resources: { [language]: { translation: texts } },
    interpolation: { escapeValue: false, alwaysFormat: true },
    initAsync: false,
  });
  return (instance.t as (key: string, values: object) => string)(key, values);
}

it("writes numbers in the language's digits, without grouping", async () => {
  expect(await say("fa", "pages", { page: 12, total: 3456 })).toBe("۱۲ / ۳۴۵۶");
  expect(await say("ar", "pages", { page: 12, total: 3456 })).toBe("12 / 3456");
  expect(await say("en", "pages", { page: 12, total: 34567 })).toBe("12 / 34567");
  expect(await say("fa", "deep", { file: { size: 2.5 } })).toBe("۲٫۵");
  expect(await say("de", "deep", { file: { size: 0.1234 } })).toBe("0,1234");
});

it("keeps named formats, which group", async () => {
  expect(await say("fa", "uses", { count: 3456 })).toBe("۳٬۴۵۶");
  expect(await say("en", "outer", { count: 3456 })).toBe("3,456");
  expect(await say("fa", "two", { names: ["a1", "b"], count: 2 })).toBe("a1 و b: ۲");
});

it("doesn't touch text", async () => {
  expect(await say("fa", "file", { name: "plan-2026.pdf", version: "1.14.0" })).toBe(
    "plan-2026.pdf 1.14.0",
  );
});
