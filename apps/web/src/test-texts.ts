import { startI18n } from "./lib/i18n.ts";

// Imported first by tests of what is translated: loading the texts takes longer than most tests.
startI18n();
