import { addTexts } from "../../lib/i18n.ts";
import widgets from "../../locales/en/widgets.json" with { type: "json" };

// Loaded with the page, not with the first one.
addTexts("widgets", widgets);
