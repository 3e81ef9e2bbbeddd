import { addTexts } from "../../lib/i18n.ts";
import recorded from "../../locales/en/recorded.json" with { type: "json" };

// Loaded with the page of recorded chats.
addTexts("recorded", recorded);
