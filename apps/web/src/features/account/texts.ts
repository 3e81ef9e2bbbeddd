import { addTexts } from "../../lib/i18n.ts";
import account from "../../locales/en/account.json" with { type: "json" };

// The words of the dialog come with it, not with the first page.
addTexts("account", account);
