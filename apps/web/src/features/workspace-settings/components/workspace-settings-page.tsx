import type { WorkspaceWire } from "@carrel/contracts";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { usePageTitle } from "../../../lib/brand.ts";
import "../../../styles/workspace-settings.css";
import "../texts.ts";
import type { WorkspaceTab } from "../state/tabs.ts";
import { workspaceTabs } from "../state/tabs.ts";
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
  usePageTitle(`${t(`tab.${tab}`)} · ${workspace.name}`);
  const parts: Record<WorkspaceTab, () => ReactNode> = {
    "general-appearance": () => <GeneralTab workspace={workspace} onDeleted={onDeleted} />,
    "chat-settings": () => <ChatTab workspace={workspace} />,
    "vector-database": () => <VectorTab workspace={workspace} onTry={onTry} />,
    members: () => members,
    "agent-config": () => (
      <div className="set-body">
        <p className="t2 wss-words">{t("agentsLater")}</p>
      </div>
    ),
  };
  return (
    <main className="main" id="main">
      {bar}
      <nav className="wss-tabs" aria-label={t("title")}>
        {workspaceTabs.map((name) => (
          <Link
            key={name}
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
    </main>
  );
}

/** On phones the tabs are wider than the screen, so scroll the open one into view. */
const showTab = (link: HTMLAnchorElement | null): void =>
  link?.scrollIntoView({ block: "nearest", inline: "nearest" });
