/** Adds its language to `cronstrue`; comes without types. */
declare module "cronstrue/locales/*.min.js";
