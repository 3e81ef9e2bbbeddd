import { addTexts } from "../../lib/i18n.ts";
import fallback from "../../locales/en/fallback.json" with { type: "json" };

// Loaded with the pages that show it, not with the first one.
addTexts("fallback", fallback);
