import { addTexts } from "../../lib/i18n.ts";
import branding from "../../locales/en/branding.json" with { type: "json" };

// The words come with their part, not with the first page.
addTexts("branding", branding);
