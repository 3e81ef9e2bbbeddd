/** Tests run without Vite, which collects the files; they see English only. */
export const languageFiles = {};
