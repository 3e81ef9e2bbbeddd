import { addTexts } from "../../lib/i18n.ts";
import liveSync from "../../locales/en/live-sync.json" with { type: "json" };

// Loaded with the first page that shows what is watched.
addTexts("live-sync", liveSync);
