import { settingCaptions } from "@carrel/contracts/setting-captions";
import settings from "../locales/en/settings.json" with { type: "json" };
import { addTexts, type SettingsTexts } from "./i18n.ts";

const field = Object.fromEntries(
  Object.entries(settingCaptions).map(([label, { text }]) => [label, text]),
) as SettingsTexts["field"];

// Loaded with these pages, not with the first page.
addTexts("settings", { ...settings, field });
