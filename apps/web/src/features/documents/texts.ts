import { addTexts } from "../../lib/i18n.ts";
import documentsManager from "../../locales/en/documents-manager.json" with { type: "json" };

// Loaded with the document manager, not with the first page.
addTexts("documents-manager", documentsManager);
