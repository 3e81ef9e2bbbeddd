import { addTexts } from "../../lib/i18n.ts";
import workspace from "../../locales/en/workspace.json" with { type: "json" };

// Loaded with these pages, not with the first page.
addTexts("workspace", workspace);
