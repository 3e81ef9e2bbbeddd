import share from "../locales/en/share.json" with { type: "json" };
import { addTexts } from "./i18n.ts";

// Loaded with the dialog and pages of share links, not with the first page.
addTexts("share", share);
