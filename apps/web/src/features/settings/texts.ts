import { addTexts } from "../../lib/i18n.ts";
import settings from "../../locales/en/settings.json" with { type: "json" };

// The words of these pages come with them, not with the first page.
addTexts("settings", settings);
