import settings from "../locales/en/settings.json" with { type: "json" };
import { addTexts } from "./i18n.ts";

// Loaded with these pages, not with the first page.
addTexts("settings", settings);
