import i18next from "i18next";
import { initReactI18next } from "react-i18next";
import type account from "../locales/en/account.json";
import type admin from "../locales/en/admin.json";
import type auth from "../locales/en/auth.json";
import type branding from "../locales/en/branding.json";
import chat from "../locales/en/chat.json" with { type: "json" };
import common from "../locales/en/common.json" with { type: "json" };
import documents from "../locales/en/documents.json" with { type: "json" };
import type inspection from "../locales/en/inspection.json";
import type library from "../locales/en/library.json";
import type memories from "../locales/en/memories.json";
import type settings from "../locales/en/settings.json";
import shell from "../locales/en/shell.json" with { type: "json" };
import sources from "../locales/en/sources.json" with { type: "json" };
import type workspace from "../locales/en/workspace.json";

/** In the first page's bundle. Pages loaded on demand bring their own texts (`addTexts`). */
const english = { chat, common, documents, shell, sources };

interface LaterTexts {
  account: typeof account;
  admin: typeof admin;
  auth: typeof auth;
  branding: typeof branding;
  inspection: typeof inspection;
  library: typeof library;
  memories: typeof memories;
  settings: typeof settings;
  workspace: typeof workspace;
}

declare module "i18next" {
  interface CustomTypeOptions {
    defaultNS: "common";
    resources: typeof english & LaterTexts;
  }
}

const rightToLeft = new Set(["ar", "he", "fa"]);

/** Translated interface languages, each in its own name. Specification 1, section 9 lists 17. */
export const languages = [{ code: "en", name: "English" }] as const;

/** Adds a namespace's texts when its first module loads, so that it can render immediately. */
export function addTexts<Name extends keyof LaterTexts>(name: Name, texts: LaterTexts[Name]): void {
  i18next.addResourceBundle("en", name, texts);
}

/** Initializes i18next, synchronously because English is bundled. */
export function startI18n(): void {
  void i18next.use(initReactI18next).init({
    lng: "en",
    fallbackLng: "en",
    defaultNS: "common",
    ns: Object.keys(english),
    resources: { en: english },
    interpolation: { escapeValue: false },
    initAsync: false,
  });
  document.documentElement.lang = i18next.language;
  document.documentElement.dir = rightToLeft.has(i18next.language) ? "rtl" : "ltr";
}
