import type { FooterLink } from "../api/branding.ts";

/** What people see of the instance, apart from its logo. */
export interface BrandingValues {
  name: string;
  title: string;
  favicon: string;
  email: string;
  links: FooterLink[];
}
export type TextName = Exclude<keyof BrandingValues, "links">;

/** wire-contract 7. */
const labels: Record<keyof BrandingValues, string> = {
  name: "custom_app_name",
  title: "meta_page_title",
  favicon: "meta_page_favicon",
  email: "support_email",
  links: "footer_data",
};
export const brandingLabels = Object.values(labels);
export const textNames: readonly TextName[] = ["name", "title", "email", "favicon"];
export const longest: Record<TextName, number> = {
  name: 255,
  title: 255,
  email: 320,
  favicon: 2_048,
};

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

export function valuesOf(settings: Record<string, unknown>, links: FooterLink[]): BrandingValues {
  return {
    name: textOf(settings[labels.name]),
    title: textOf(settings[labels.title]),
    favicon: textOf(settings[labels.favicon]),
    email: textOf(settings[labels.email]),
    links,
  };
}

/** The preferences that differ, as sent: null unsets one. */
export function changesOf(
  values: BrandingValues,
  saved: BrandingValues,
): Record<string, string | null> {
  const changes: Record<string, string | null> = {};
  for (const name of textNames)
    if (values[name].trim() !== saved[name]) changes[labels[name]] = values[name].trim() || null;
  const links = JSON.stringify(values.links.map(({ icon, url }) => ({ icon, url: url.trim() })));
  if (links !== JSON.stringify(saved.links)) changes[labels.links] = links;
  return changes;
}

const isAddress = (text: string, protocols: RegExp): boolean =>
  URL.canParse(text) && protocols.test(new URL(text).protocol);

export type TextFault = "email" | "favicon";
/** Why a text isn't accepted; null if it is. */
export function textFault(name: TextName, value: string): TextFault | null {
  const text = value.trim();
  if (text === "") return null;
  if (name === "email") return /^[^\s@]+@[^\s@]+$/.test(text) ? null : "email";
  if (name === "favicon") return isAddress(text, /^https?:$/) ? null : "favicon";
  return null;
}
export const isLinkFaulty = ({ url }: FooterLink): boolean =>
  !isAddress(url.trim(), /^(https?|mailto):$/);

export const faultCount = (values: BrandingValues): number =>
  textNames.filter((name) => textFault(name, values[name]) !== null).length +
  values.links.filter(isLinkFaulty).length;
