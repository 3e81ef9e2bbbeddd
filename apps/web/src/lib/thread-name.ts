import i18next from "i18next";

/** What the server calls a thread until its first question names it. */
const unnamed = "Thread";

/** A thread's name, or the app's own words if it has none yet. */
export const threadName = (name: string): string =>
  name === unnamed ? i18next.t("shell:newThread") : name;
