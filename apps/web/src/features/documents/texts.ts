import { addTexts } from "../../lib/i18n.ts";
import library from "../../locales/en/library.json" with { type: "json" };

// Loaded with the document manager, not with the first page.
addTexts("library", library);
