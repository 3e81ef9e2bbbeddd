import { addTexts } from "../../lib/i18n.ts";
import inspection from "../../locales/en/inspection.json" with { type: "json" };

// The words of the inspector come with it, not with the first page.
addTexts("inspection", inspection);
