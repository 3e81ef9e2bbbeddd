/** Returns the error in a setting's text, in the wire's wording (wire-contract.md 11), or null. */
export type SettingRule = (value: string) => string | null;

export const anything: SettingRule = () => null;

export const notEmpty: SettingRule = (value) =>
  value.trim() === "" ? "Value cannot be empty" : null;

export const positiveNumber: SettingRule = (value) => {
  const number = value.trim() === "" ? Number.NaN : Number(value);
  if (Number.isNaN(number)) return "Value must be a number";
  return number > 0 ? null : "Value must be greater than zero";
};

export const wholeNumber: SettingRule = (value) =>
  /^-?\d+$/.test(value.trim()) ? null : "Value must be a number";

const parseWebAddress = (value: string): URL | null => {
  const url = URL.canParse(value) ? new URL(value) : null;
  return url && (url.protocol === "http:" || url.protocol === "https:") ? url : null;
};

export const webAddress: SettingRule = (value) =>
  parseWebAddress(value) ? null : "URL is not a valid URL.";

export const webAddressWithoutSlash: SettingRule = (value) =>
  webAddress(value) ?? (value.endsWith("/") ? "URL cannot end with a slash" : null);

export const startsWith =
  (prefix: string, text: string): SettingRule =>
  (value) =>
    value.startsWith(prefix) ? null : text;

export const oneOf =
  (values: readonly string[], text: (value: string) => string): SettingRule =>
  (value) =>
    values.includes(value) ? null : text(value);

/** Accepts an empty value. */
export const optional =
  (rule: SettingRule): SettingRule =>
  (value) =>
    value.trim() === "" ? null : rule(value);

/** Returns the first error any of the rules finds. */
export const all =
  (...rules: SettingRule[]): SettingRule =>
  (value) => {
    for (const rule of rules) {
      const fault = rule(value);
      if (fault !== null) return fault;
    }
    return null;
  };
