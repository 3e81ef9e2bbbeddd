import auth from "../locales/en/auth.json" with { type: "json" };
import { addTexts } from "./i18n.ts";

// Loaded with these pages, not with the first page.
addTexts("auth", auth);
