import { addTexts } from "../../lib/i18n.ts";
import admin from "../../locales/en/admin.json" with { type: "json" };

// Loaded with these pages, not with the first one.
addTexts("admin", admin);
