import { addTexts } from "../../lib/i18n.ts";
import account from "../../locales/en/account.json" with { type: "json" };

// Loaded with the dialog, not with the first page.
addTexts("account", account);
