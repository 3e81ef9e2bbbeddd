import { addTexts } from "../../lib/i18n.ts";
import usage from "../../locales/en/usage.json" with { type: "json" };

// Loaded with this page instead of the first one.
addTexts("usage", usage);
