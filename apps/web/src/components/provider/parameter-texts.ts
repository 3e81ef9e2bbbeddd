import { addTexts } from "../../lib/i18n.ts";
import parameters from "../../locales/en/parameters.json" with { type: "json" };

// Loaded with what shows it instead of with the first page.
addTexts("parameters", parameters);
