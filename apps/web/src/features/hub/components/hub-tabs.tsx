import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import "../texts.ts";

const tabs = [
  ["trending", "/settings/community-hub/trending"],
  ["import", "/settings/community-hub/import-item"],
  ["connection", "/settings/community-hub/authentication"],
] as const;

/** The pages of the community hub. */
export function HubTabs() {
  const { t } = useTranslation("hub");
  return (
    <nav
      className="flex flex-none gap-1 overflow-x-auto border-b border-subtle px-5 max-md:px-3"
      aria-label={t("tabs.label")}
    >
      {tabs.map(([name, to]) => (
        <Link
          key={name}
          to={to}
          className="-mb-px border-b-2 border-transparent px-2 py-2.5 font-medium whitespace-nowrap text-fg-3 hover:text-fg-1 aria-[current=page]:border-accent-solid aria-[current=page]:text-fg-1"
          activeOptions={{ includeSearch: false }}
          activeProps={{ "aria-current": "page" }}
        >
          {t(`tabs.${name}`)}
        </Link>
      ))}
    </nav>
  );
}
