import { quotingProvider } from "@carrel/contracts";
import i18next from "i18next";
import "./usage-texts.ts";

/** The display name of a provider or model: the built-in answerer is neither. */
export const nameModel = (id: string): string =>
  id === quotingProvider ? i18next.t("usage:quoting") : id;
