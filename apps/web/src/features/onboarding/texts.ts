import { addTexts } from "../../lib/i18n.ts";
import onboarding from "../../locales/en/onboarding.json" with { type: "json" };

// Loaded with the wizard instead of the first page.
addTexts("onboarding", onboarding);
