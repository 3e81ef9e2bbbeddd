import { addTexts } from "../../lib/i18n.ts";
import workspace from "../../locales/en/workspace.json" with { type: "json" };

// The words of these pages come with them, not with the first page.
addTexts("workspace", workspace);
