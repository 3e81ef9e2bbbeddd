import { addTexts } from "../../lib/i18n.ts";
import inspection from "../../locales/en/inspection.json" with { type: "json" };

// Loaded with the inspector, not with the first page.
addTexts("inspection", inspection);
