import { addTexts } from "./i18n.ts";
import auth from "../locales/en/auth.json" with { type: "json" };

// The words of these pages come with them, not with the first page.
addTexts("auth", auth);
