import type { SettingField } from "@carrel/contracts";
import type { Vendor } from "../src/vendors/vendor.ts";

/**
 * A value for every field of a form: addresses point to `url`, secrets are `secret`, the model is
 * `local`, and anything else with a default keeps it.
 */
const settingsOf = (
  fields: readonly SettingField[],
  url: string,
  secret: string,
): Record<string, string> =>
  Object.fromEntries(
    fields.flatMap(({ key, kind }): [string, string][] => {
      if (kind === "url") return [[key, url]];
      if (kind === "secret") return [[key, secret]];
      return kind === "model" ? [[key, "local"]] : [];
    }),
  );

export const languageSettings = ({ language }: Vendor, url: string, secret: string) =>
  settingsOf(language!.fields, url, secret);

export const embeddingSettings = ({ embedding }: Vendor, url: string, secret: string) =>
  settingsOf(embedding!.fields, url, secret);
