import { addTexts } from "../../lib/i18n.ts";
import memories from "../../locales/en/memories.json" with { type: "json" };

// Loaded with these pages, not with the first one.
addTexts("memories", memories);
