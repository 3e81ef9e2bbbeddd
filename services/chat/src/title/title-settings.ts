import { threadTitlesLabel } from "@carrel/contracts";

/** Whether an admin has enabled titles by the language model, read from chat's cached settings. */
export const areTitlesWritten = (values: Readonly<Record<string, string>>): boolean =>
  values[threadTitlesLabel] === "true";
