import { addTexts } from "../../lib/i18n.ts";
import webhooks from "../../locales/en/webhooks.json" with { type: "json" };

// Loaded with the page, not with the first one.
addTexts("webhooks", webhooks);
