import i18next from "i18next";

/** What the server calls a thread until its first question names it. */
const unnamed = "Thread";

/**
 * A thread's name, or the app's own words if it has none yet.
 *
 * @param slug null for the default thread
 */
export const threadName = (name: string, slug?: string | null): string =>
  name !== unnamed ? name : i18next.t(slug === null ? "shell:defaultThread" : "shell:newThread");
