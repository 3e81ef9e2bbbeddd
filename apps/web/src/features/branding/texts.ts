import { addTexts } from "../../lib/i18n.ts";
import appearance from "../../locales/en/appearance.json" with { type: "json" };

// Loaded with the settings page, not with the first page; imported only there, or the bundler would
// share it.
addTexts("appearance", appearance);
