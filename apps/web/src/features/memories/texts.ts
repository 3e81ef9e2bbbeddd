import { addTexts } from "../../lib/i18n.ts";
import memories from "../../locales/en/memories.json" with { type: "json" };

// The words of these pages come with them, not with the first page.
addTexts("memories", memories);
