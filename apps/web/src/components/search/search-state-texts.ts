import { addTexts } from "../../lib/i18n.ts";
import texts from "../../locales/en/search-state.json" with { type: "json" };

// Loaded with the pages that show it, not with the first one.
addTexts("search-state", texts);
