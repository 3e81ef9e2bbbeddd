import { addTexts } from "../../lib/i18n.ts";
import hub from "../../locales/en/hub.json" with { type: "json" };

// Loaded with these pages, not with the first one.
addTexts("hub", hub);
