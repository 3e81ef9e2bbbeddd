import type { i18n, ThirdPartyModule } from "i18next";

type Format = (
  value: unknown,
  format?: string,
  ...rest: [language: string, options: object]
) => unknown;

/**
 * Writes number parameters without a format, such as `{{page}}`, in the language's digits and
 * without grouping. i18next overwrites a function passed as `interpolation.format`, so this wraps
 * the one it uses, which knows the named formats.
 */
export const numberWriter: ThirdPartyModule = {
  type: "3rdParty",
  init({ services }: i18n) {
    const interpolator = services.interpolator as unknown as { format: Format };
    const { format: named } = interpolator;
    interpolator.format = (value, format, language, options) =>
      format === undefined && typeof value === "number"
        ? named(value, "number(useGrouping: false; maximumFractionDigits: 20)", language, {})
        : named(value, format, language, options);
  },
};
