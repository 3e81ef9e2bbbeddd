import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { languages, languageTag, type Language } from "@carrel/contracts/languages";
import { describe, expect, it } from "@jest/globals";
import { root } from "../checkout.ts";
import { readTexts } from "./texts.ts";

type Messages = Record<string, { message: string; placeholders?: object }>;

const folder = join(root, "apps/extension/public/_locales");
/** Chrome ignores folders that it has no language for, such as `zh`. */
const folderOf = (language: Language): string =>
  language === "zh" ? "zh_CN" : languageTag(language).replace("-", "_");
const read = (language: Language): Messages =>
  JSON.parse(readFileSync(join(folder, folderOf(language), "messages.json"), "utf8")) as Messages;

const english = read("en");
const placeholdersOf = (text: string): string[] => (text.match(/\$\w+\$/g) ?? []).toSorted();

it("the extension has a folder for each language, by Chrome's name", () => {
  expect(readdirSync(folder).toSorted()).toEqual(languages.map(folderOf).toSorted());
});

describe.each(languages)("the extension in %s", (language) => {
  const messages = read(language);
  const textOf = (key: string): string => messages[key]!.message;

  it("has the texts and placeholders of English", () => {
    expect(Object.keys(messages)).toEqual(Object.keys(english));
    for (const [key, { message, placeholders }] of Object.entries(english)) {
      expect([key, messages[key]!.placeholders]).toEqual([key, placeholders]);
      expect([key, placeholdersOf(textOf(key))]).toEqual([key, placeholdersOf(message)]);
      // What is asked follows "About the page …: " in the same line.
      expect(textOf(key)).toMatch(key === "askQuestion" ? /: $|：$/ : /^\S(.*\S)?$/);
    }
    expect(textOf("language")).toBe(languageTag(language));
  });

  it("isn't English", () => {
    if (language === "en") return;
    const same = Object.keys(english).filter((key) => textOf(key) === english[key]!.message);
    const allowed = language === "de" ? ["name", "workspace"] : ["name"];
    expect(same).toEqual(allowed);
  });

  it("has a description that Chrome's store accepts", () => {
    expect(textOf("description").length).toBeLessThanOrEqual(132);
  });

  it("and the app call each other's pages and buttons by their names", () => {
    const app = new Map([...readTexts(language)].map(([key, text]) => [key, text[""]!]));
    for (const key of ["settings:page.extension", "admin:extension.add"])
      expect(textOf("connectHint")).toContain(app.get(key));
    expect(textOf("failedDisconnect")).toContain(app.get("settings:page.extension"));
    expect(textOf("connectionString")).toBe(app.get("admin:extension.connection"));
    expect(app.get("admin:extension.createdText")).toContain(textOf("connect"));
  });
});
