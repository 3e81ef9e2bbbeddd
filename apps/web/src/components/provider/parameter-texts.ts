import { addTexts } from "../../lib/i18n.ts";
import parameters from "../../locales/en/parameters.json" with { type: "json" };

// Loaded with what shows it, not with the first page.
addTexts("parameters", parameters);
