import type { WorkspaceWire } from "@carrel/contracts";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Main } from "../../../components/ui/page.tsx";
import { usePageTitle } from "../../../lib/brand.ts";
import { useRights } from "../../../lib/current-user.ts";
import { memberTabs, workspaceTabs, type WorkspaceTab } from "../state/tabs.ts";
import "../texts.ts";
import { ChatTab } from "./chat-tab.tsx";
import { GeneralTab } from "./general-tab.tsx";
import { VectorTab } from "./vector-tab.tsx";

/**
 * The settings of one workspace. `members` renders the members tab, which belongs to another
 * feature; `onTry` opens the search try-out.
 */
export function WorkspaceSettingsPage({
  workspace,
  tab,
  bar,
  members,
  onDeleted,
  onTry,
}: {
  workspace: WorkspaceWire;
  tab: WorkspaceTab;
  bar: ReactNode;
  members: ReactNode;
  onDeleted: () => Promise<void>;
  onTry: () => void;
}) {
  const { t } = useTranslation("workspace");
  const tabs = useRights().manager ? workspaceTabs : memberTabs;
  usePageTitle(`${t(`tab.${tab}`)} · ${workspace.name}`);
  const parts: Record<WorkspaceTab, () => ReactNode> = {
    "general-appearance": () => <GeneralTab workspace={workspace} onDeleted={onDeleted} />,
    "chat-settings": () => <ChatTab workspace={workspace} />,
    "vector-database": () => <VectorTab workspace={workspace} onTry={onTry} />,
    members: () => members,
  };
  return (
    <Main>
      {bar}
      <nav
        className="flex flex-none gap-5 overflow-x-auto border-b border-line px-6 scrollbar-none max-md:gap-4 max-md:px-4"
        aria-label={t("title")}
      >
        {tabs.map((name) => (
          <Link
            key={name}
            className="rounded-t-[3px] border-b-2 border-transparent pt-3 pb-2.5 font-medium whitespace-nowrap text-fg-3 hover:text-fg-1 focus-visible:-outline-offset-2 aria-[current=page]:border-accent-solid aria-[current=page]:text-fg-1 max-md:grid max-md:min-h-11 max-md:items-center"
            to="/workspace/$workspaceSlug/settings/$tab"
            params={{ workspaceSlug: workspace.slug, tab: name }}
            ref={name === tab ? showTab : null}
            aria-current={name === tab ? "page" : undefined}
          >
            {t(`tab.${name}`)}
          </Link>
        ))}
      </nav>
      {parts[tab]()}
    </Main>
  );
}

/** On phones the tabs are wider than the screen, so scroll the open one into view. */
const showTab = (link: HTMLAnchorElement | null): void =>
  link?.scrollIntoView({ block: "nearest", inline: "nearest" });
