import { addTexts } from "../../lib/i18n.ts";
import library from "../../locales/en/library.json" with { type: "json" };

// The words of the document manager come with it, not with the first page.
addTexts("library", library);
