import type { Vendor } from "../src/vendors/vendor.ts";

/**
 * A value for every field of a vendor's form for language models: addresses lead to `url`, secrets
 * are `secret`, the model is `local`, and what else has a default keeps it.
 */
export const languageSettings = (
  { language }: Vendor,
  url: string,
  secret: string,
): Record<string, string> =>
  Object.fromEntries(
    language!.fields.flatMap(({ key, kind }): [string, string][] => {
      if (kind === "url") return [[key, url]];
      if (kind === "secret") return [[key, secret]];
      return kind === "model" ? [[key, "local"]] : [];
    }),
  );
