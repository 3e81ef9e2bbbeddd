import type { SettingLabel } from "@carrel/contracts";
import {
  directionOf,
  languageTag,
  languages,
  sourceLanguage,
  type Language,
} from "@carrel/contracts/languages";
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
import type localModels from "../locales/en/local-models.json";
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
import { readLanguage, storeLanguage } from "./active-language.ts";
import { firstAreas, textLoader } from "./language-files.ts";
import { numberWriter } from "./written-numbers.ts";

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
  "local-models": typeof localModels;
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

/** Adds a namespace's texts when its first module loads, so that it can render immediately. */
export function addTexts<Name extends keyof LaterTexts>(name: Name, texts: LaterTexts[Name]): void {
  i18next.addResourceBundle(sourceLanguage, name, texts);
  // Also for sentences that are made outside of components.
  void i18next.loadNamespaces(name);
}

function labelDocument(language: string): void {
  document.documentElement.lang = languageTag(language as Language);
  document.documentElement.dir = directionOf(language as Language);
}

let onChosen: ((language: Language) => void) | null = null;
/** Called with every choice made in this tab, to save it to the profile. */
export function listenLanguageChosen(listener: (language: Language) => void): void {
  onChosen = listener;
}

/** Shows the interface in another language and remembers it in this browser. */
export async function changeLanguage(language: Language): Promise<void> {
  storeLanguage(language);
  onChosen?.(language);
  await i18next.changeLanguage(language);
}

/** Shows the language that a profile names; another browser may have chosen it. */
export async function adoptLanguage(): Promise<void> {
  const language = readLanguage();
  if (language !== i18next.language) await i18next.changeLanguage(language);
}

/** Initializes i18next in the person's language; resolves once the first page's texts are there. */
export async function startI18n(): Promise<void> {
  i18next.on("languageChanged", labelDocument);
  await i18next
    .use(initReactI18next)
    .use(textLoader(i18next))
    .use(numberWriter)
    .init({
      lng: readLanguage(),
      fallbackLng: sourceLanguage,
      supportedLngs: languages,
      // Traditional Chinese must not fall back to simplified.
      load: "currentOnly",
      lowerCaseLng: true,
      defaultNS: "common",
      ns: [...firstAreas],
      resources: { [sourceLanguage]: english },
      partialBundledLanguages: true,
      // `alwaysFormat`: numbers without a format, too (`numberWriter`).
      interpolation: { escapeValue: false, alwaysFormat: true },
      initAsync: false,
    });
}
