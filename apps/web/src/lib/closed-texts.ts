import closed from "../locales/en/closed.json" with { type: "json" };
import { addTexts } from "./i18n.ts";

// Loaded with the first thing that somebody may not do.
addTexts("closed", closed);
