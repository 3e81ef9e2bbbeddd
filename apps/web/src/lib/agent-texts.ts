import agents from "../locales/en/agents.json" with { type: "json" };
import { addTexts } from "./i18n.ts";

// Loaded with these pages, not with the first page.
addTexts("agents", agents);
