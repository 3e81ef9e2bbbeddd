import { afterEach, beforeEach, expect, it, jest } from "@jest/globals";
import i18next, { type i18n } from "i18next";
import { textLoader } from "./language-files.ts";

type Reply = { status: number; body?: unknown } | null | Promise<never>;

let replies: Record<string, Reply[]>;
let asked: string[];
beforeEach(() => {
  jest.useFakeTimers();
  asked = [];
  Object.assign(globalThis, {
    languageFolder: "/languages",
    fetch: (file: string) => {
      asked.push(file.replace("/languages/", ""));
      const reply = replies[asked.at(-1)!]?.shift() ?? { status: 404 };
      if (reply instanceof Promise) return reply;
      return Promise.resolve({
        ok: reply.status === 200,
        status: reply.status,
        json: () => Promise.resolve(reply.body),
      });
    },
  });
});
afterEach(() => {
  jest.useRealTimers();
});

const english = { common: { save: "Save", cancel: "Cancel" }, chat: {}, flows: { run: "Run" } };
async function start(seconds = 0): Promise<i18n> {
  const instance = i18next.createInstance();
  const started = instance.use(textLoader(instance)).init({
    lng: "de",
    fallbackLng: "en",
    load: "currentOnly",
    ns: ["common", "chat"],
    defaultNS: "common",
    partialBundledLanguages: true,
    resources: { en: english },
    initAsync: false,
  });
  await jest.advanceTimersByTimeAsync(seconds * 1_000);
  await started;
  return instance;
}
const first = { status: 200, body: { common: { save: "Speichern" }, chat: { send: "Senden" } } };
const say = (instance: i18n, key: string): string => (instance.t as (key: string) => string)(key);

it("loads the first page's areas together, others when used, and falls back to English", async () => {
  replies = {
    "de/first.json": [first],
    "de/flows.json": [{ status: 200, body: { run: "Ausführen" } }],
  };
  const instance = await start();
  expect(["save", "cancel", "chat:send"].map((key) => say(instance, key))).toEqual([
    "Speichern",
    "Cancel",
    "Senden",
  ]);
  expect(asked).toEqual(["de/first.json"]);
  await instance.loadNamespaces("flows");
  expect(say(instance, "flows:run")).toBe("Ausführen");
  expect(asked).toEqual(["de/first.json", "de/flows.json"]);
});

it("shows English when a file is slow or the server fails, and the language once it is there", async () => {
  replies = { "de/first.json": [{ status: 503 }, { status: 503 }, first] };
  const instance = await start(1);
  const changes: string[] = [];
  instance.on("languageChanged", (language) => changes.push(language));
  expect([say(instance, "save"), changes]).toEqual(["Save", []]);
  await jest.advanceTimersByTimeAsync(1_000);
  expect([say(instance, "save"), asked.length]).toEqual(["Speichern", 3]);
  expect(changes).not.toEqual([]);
});

it("tries again five times, at once when the browser is back online, and later for another page", async () => {
  replies = { "de/first.json": Array.from({ length: 6 }, () => ({ status: 500 })) };
  const instance = await start(1);
  dispatchEvent(new Event("online"));
  await jest.advanceTimersByTimeAsync(60_000);
  expect([asked.length, say(instance, "save")]).toEqual([6, "Save"]);
  replies = { "de/first.json": [first] };
  await instance.reloadResources("de", "common");
  expect(say(instance, "save")).toBe("Speichern");
});

it("doesn't repeat requests for a missing language, and needs no file for English", async () => {
  replies = {};
  const instance = await start(60);
  expect([say(instance, "save"), asked]).toEqual(["Save", ["de/first.json"]]);
  await instance.changeLanguage("en");
  await instance.loadNamespaces("flows");
  expect([say(instance, "flows:run"), asked.length]).toEqual(["Run", 1]);
});
