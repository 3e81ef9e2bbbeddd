import schedules from "../locales/en/schedules.json" with { type: "json" };
import { addTexts } from "./i18n.ts";

// Loaded with these pages, not with the first one.
addTexts("schedules", schedules);
