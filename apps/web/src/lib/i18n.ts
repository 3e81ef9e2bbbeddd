import type { SettingLabel } from "@carrel/contracts";
import i18next from "i18next";
import { initReactI18next } from "react-i18next";
import type account from "../locales/en/account.json";
import type admin from "../locales/en/admin.json";
import type agents from "../locales/en/agents.json";
import type appearance from "../locales/en/appearance.json";
import type approvals from "../locales/en/approvals.json";
import type auth from "../locales/en/auth.json";
import type budgets from "../locales/en/budgets.json";
import chat from "../locales/en/chat.json" with { type: "json" };
import type closed from "../locales/en/closed.json";
import common from "../locales/en/common.json" with { type: "json" };
import type connections from "../locales/en/connections.json";
import type credentials from "../locales/en/credentials.json";
import type documentsManager from "../locales/en/documents-manager.json";
import documents from "../locales/en/documents.json" with { type: "json" };
import type fallback from "../locales/en/fallback.json";
import type flowRuns from "../locales/en/flow-runs.json";
import type flows from "../locales/en/flows.json";
import type hub from "../locales/en/hub.json";
import type inspection from "../locales/en/inspection.json";
import type liveSync from "../locales/en/live-sync.json";
import type mcp from "../locales/en/mcp.json";
import type memories from "../locales/en/memories.json";
import type notices from "../locales/en/notices.json";
import type onboarding from "../locales/en/onboarding.json";
import type parameters from "../locales/en/parameters.json";
import type plugins from "../locales/en/plugins.json";
import type privacy from "../locales/en/privacy.json";
import type recorded from "../locales/en/recorded.json";
import type schedules from "../locales/en/schedules.json";
import type searchState from "../locales/en/search-state.json";
import type settings from "../locales/en/settings.json";
import type share from "../locales/en/share.json";
import shell from "../locales/en/shell.json" with { type: "json" };
import sources from "../locales/en/sources.json" with { type: "json" };
import type steps from "../locales/en/steps.json";
import type usage from "../locales/en/usage.json";
import type versions from "../locales/en/versions.json";
import type webhooks from "../locales/en/webhooks.json";
import type widgets from "../locales/en/widgets.json";
import type workspace from "../locales/en/workspace.json";
import { readCurrentUser } from "./current-user.ts";
import { languageFiles } from "./language-files.ts";
import { chooseLanguage, codesOf, languageName, sourceLanguage, textLoader } from "./languages.ts";

/** Part of the first page's bundle. Pages loaded on demand bring their own texts (`addTexts`). */
const english = { chat, common, documents, shell, sources };

/** The captions of fields come from their declarations. */
export type SettingsTexts = typeof settings & { field: Record<SettingLabel, string> };

interface LaterTexts {
  account: typeof account;
  admin: typeof admin;
  agents: typeof agents;
  appearance: typeof appearance;
  approvals: typeof approvals;
  auth: typeof auth;
  budgets: typeof budgets;
  closed: typeof closed;
  connections: typeof connections;
  errors: Record<string, Record<string, string>>;
  fallback: typeof fallback;
  flows: typeof flows;
  "flow-runs": typeof flowRuns;
  hub: typeof hub;
  inspection: typeof inspection;
  "live-sync": typeof liveSync;
  notices: typeof notices;
  parameters: typeof parameters;
  plugins: typeof plugins;
  privacy: typeof privacy;
  "documents-manager": typeof documentsManager;
  mcp: typeof mcp;
  memories: typeof memories;
  onboarding: typeof onboarding;
  recorded: typeof recorded;
  schedules: typeof schedules;
  "search-state": typeof searchState;
  settings: SettingsTexts;
  share: typeof share;
  steps: typeof steps;
  usage: typeof usage;
  versions: typeof versions;
  credentials: typeof credentials;
  webhooks: typeof webhooks;
  widgets: typeof widgets;
  workspace: typeof workspace;
}

declare module "i18next" {
  interface CustomTypeOptions {
    defaultNS: "common";
    resources: typeof english & LaterTexts;
  }
}

/** Interface languages, each in its own name. */
export const languages = codesOf(Object.keys(languageFiles)).map((code) => ({
  code,
  name: languageName(code),
}));

/** Adds a namespace's texts when its first module loads, so that it can render immediately. */
export function addTexts<Name extends keyof LaterTexts>(name: Name, texts: LaterTexts[Name]): void {
  i18next.addResourceBundle(sourceLanguage, name, texts);
}

function labelDocument(language: string): void {
  document.documentElement.lang = language;
  document.documentElement.dir = i18next.dir(language);
}

/**
 * Initializes i18next in the user's language, synchronously if that is English; components that use
 * another language wait for its texts.
 */
export function startI18n(): void {
  const codes = languages.map(({ code }) => code);
  i18next.on("languageChanged", labelDocument);
  void i18next
    .use(initReactI18next)
    .use(textLoader(languageFiles))
    .init({
      lng: chooseLanguage([readCurrentUser()?.userLang, ...navigator.languages], codes),
      fallbackLng: sourceLanguage,
      supportedLngs: codes,
      defaultNS: "common",
      ns: Object.keys(english),
      resources: { [sourceLanguage]: english },
      partialBundledLanguages: true,
      interpolation: { escapeValue: false },
      initAsync: false,
    });
}
