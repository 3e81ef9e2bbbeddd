import { addTexts } from "./i18n.ts";
import auth from "../locales/en/auth.json" with { type: "json" };

// Loaded with these pages instead of the first page.
addTexts("auth", auth);
