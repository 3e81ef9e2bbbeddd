import { addTexts } from "../../lib/i18n.ts";
import usage from "../../locales/en/usage.json" with { type: "json" };

// Loaded with what shows usage, not with the first page.
addTexts("usage", usage);
