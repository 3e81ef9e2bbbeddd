import { addTexts } from "../../lib/i18n.ts";
import onboarding from "../../locales/en/onboarding.json" with { type: "json" };

// Loaded with the wizard, not with the first page.
addTexts("onboarding", onboarding);
