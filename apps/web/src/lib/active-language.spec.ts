import { afterEach, expect, it } from "@jest/globals";
import { readLanguage, storeLanguage } from "./active-language.ts";
import { keys } from "./session-storage.ts";

const forgetCookie = (): string => (document.cookie = "i18next=; max-age=0; path=/");
afterEach(() => {
  localStorage.clear();
  sessionStorage.clear();
  forgetCookie();
  history.replaceState(null, "", "/");
});

it("is named by the address, the profile, the cookie, the storage of the browser and the browser, in this order", () => {
  expect(readLanguage()).toBe("en");
  sessionStorage.setItem(keys.language, "fr");
  expect(readLanguage()).toBe("fr");
  localStorage.setItem(keys.language, "zh_TW");
  expect(readLanguage()).toBe("zh-tw");
  document.cookie = "i18next=pt_BR; path=/";
  expect(readLanguage()).toBe("pt");
  localStorage.setItem(keys.user, JSON.stringify({ userLang: "vn" }));
  expect(readLanguage()).toBe("vi");
  history.replaceState(null, "", "/?lng=de-AT");
  expect(readLanguage()).toBe("de");
});

it("skips what names none of ours", () => {
  history.replaceState(null, "", "/?lng=tlh");
  localStorage.setItem(keys.user, '{"userLang":5');
  localStorage.setItem(keys.language, "ko");
  expect(readLanguage()).toBe("ko");
});

it("remembers a choice wherever another one would be found", () => {
  history.replaceState(null, "", "/settings?lng=de&tab=1");
  document.cookie = "i18next=fr; path=/";
  storeLanguage("da");
  expect(location.href).toMatch(/\/settings\?tab=1$/);
  expect(readLanguage()).toBe("da");
  forgetCookie();
  expect(readLanguage()).toBe("da");
});
