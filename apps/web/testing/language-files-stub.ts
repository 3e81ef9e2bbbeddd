/** Tests run without Vite, which collects the files, so they see only English. */
export const languageFiles = {};
