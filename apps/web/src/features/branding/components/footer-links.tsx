import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { iconButtonStyles } from "../../../components/ui/button.tsx";
import { useBrandingVersion } from "../../../lib/brand.ts";
import { cacheLifetimeMs, fetchLinks, readStoredLinks } from "../api/branding.ts";
import { iconOf } from "../state/footer-icons.ts";

/** The address in readable form. */
const targetOf = (url: string): string => {
  const { protocol, host, pathname } = new URL(url);
  return protocol.startsWith("http") ? host : decodeURIComponent(pathname);
};

const footerLinkKeys = { ofBrand: (version: number) => ["footer-links", version] } as const;

/** The instance's own links at the bottom of the sidebar, at most three. */
export function FooterLinks() {
  const { t } = useTranslation("branding");
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
    <ul className="flex gap-0.5" aria-label={t("links")}>
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
