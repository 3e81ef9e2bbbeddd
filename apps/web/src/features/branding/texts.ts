import { addTexts } from "../../lib/i18n.ts";
import branding from "../../locales/en/branding.json" with { type: "json" };

// Loaded with this feature instead of the first page.
addTexts("branding", branding);
