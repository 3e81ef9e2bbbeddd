import { useQuery } from "@tanstack/react-query";
import {
  BookOpen,
  Briefcase,
  Globe,
  House,
  Info,
  Link2,
  Mail,
  MessageCircle,
  Phone,
  type LucideIcon,
} from "lucide-react";
import { useTranslation } from "react-i18next";
import { iconButtonStyles } from "../../../components/ui/button.tsx";
import { useBrandingVersion } from "../../../lib/brand.ts";
import { cacheLifetimeMs, fetchLinks, readStoredLinks } from "../api/branding.ts";

/** Icon names that existing clients store, if lucide has them, and some of our own. */
const icons: Record<string, LucideIcon> = {
  BookOpen,
  Briefcase,
  Globe,
  House,
  HouseLine: House,
  Info,
  LinkSimple: Link2,
  Envelope: Mail,
  Mail,
  DiscordLogo: MessageCircle,
  MessageCircle,
  Phone,
};

/** Unknown names get a link icon. */
export const iconOf = (name: string): LucideIcon =>
  Object.hasOwn(icons, name) ? (icons[name] ?? Link2) : Link2;

/** The icons to choose from, by the names that existing clients also show. */
export const footerIcons = [
  "LinkSimple",
  "Globe",
  "HouseLine",
  "BookOpen",
  "Envelope",
  "DiscordLogo",
  "Briefcase",
  "Info",
] as const;

/** The address in readable form. */
const targetOf = (url: string): string => {
  const { protocol, host, pathname } = new URL(url);
  return protocol.startsWith("http") ? host : decodeURIComponent(pathname);
};

const footerLinkKeys = { ofBrand: (version: number) => ["footer-links", version] } as const;

/** The instance's own links at the bottom of the sidebar, at most three. */
export function FooterLinks() {
  const { t } = useTranslation("shell");
  const version = useBrandingVersion();
  const stored = readStoredLinks();
  const links = useQuery({
    queryKey: footerLinkKeys.ofBrand(version),
    queryFn: ({ signal }) => fetchLinks(signal),
    staleTime: cacheLifetimeMs,
    ...(stored && { initialData: stored.data, initialDataUpdatedAt: stored.lastFetched }),
  });
  if (!links.data?.length) return null;
  return (
    <ul className="flex gap-0.5" aria-label={t("instanceLinks")}>
      {links.data.map(({ icon, url }) => {
        const Icon = iconOf(icon);
        return (
          <li key={url}>
            <a
              className={iconButtonStyles}
              data-slot="icon-button"
              href={url}
              target="_blank"
              rel="noopener noreferrer"
              aria-label={targetOf(url)}
              title={targetOf(url)}
            >
              <Icon aria-hidden="true" />
            </a>
          </li>
        );
      })}
    </ul>
  );
}
