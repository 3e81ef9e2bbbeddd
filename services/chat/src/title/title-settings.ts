import { threadTitlesLabel } from "@carrel/contracts";

/** Whether an admin lets the language model write titles, read from chat's cached settings. */
export const areTitlesWritten = (values: Readonly<Record<string, string>>): boolean =>
  values[threadTitlesLabel] === "true";
