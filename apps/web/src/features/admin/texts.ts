import { addTexts } from "../../lib/i18n.ts";
import admin from "../../locales/en/admin.json" with { type: "json" };

// The words of these pages come with them, not with the first page.
addTexts("admin", admin);
