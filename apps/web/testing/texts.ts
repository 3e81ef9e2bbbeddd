import { startI18n } from "../src/lib/i18n.ts";

// Imported first by tests of translated texts: loading the texts takes longer than most tests.
startI18n();
