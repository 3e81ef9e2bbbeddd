import type { WorkspaceWire } from "@carrel/contracts";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { LockKeyhole } from "lucide-react";
import { Suspense, useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { buttonStyles } from "../components/ui/button.tsx";
import { ClosedDoor } from "../components/ui/closed-door.tsx";
import { PageBody } from "../components/ui/form-section.tsx";
import { Main } from "../components/ui/page.tsx";
import { sidePanel } from "../components/ui/styles.ts";
import { Topbar } from "../features/shell/components/topbar.tsx";
import { ChatTab } from "../features/workspace-settings/components/chat-tab.tsx";
import { GeneralTab } from "../features/workspace-settings/components/general-tab.tsx";
import { VectorTab } from "../features/workspace-settings/components/vector-tab.tsx";
import {
  memberTabs,
  workspaceTabs,
  type WorkspaceTab,
} from "../features/workspace-settings/state/tabs.ts";
import { usePageTitle } from "../lib/brand.ts";
import "../features/workspace-settings/texts.ts";
import { cn } from "../lib/cn.ts";
import { useRights } from "../lib/current-user.ts";
import { lazyPart } from "../lib/lazy-part.ts";
import { queryClient } from "../lib/query-client.ts";
import { workspaceKeys } from "../lib/query-keys.ts";
import { workspacesQuery } from "../lib/workspaces.ts";

const tabStyles =
  "rounded-t-[3px] border-b-2 border-transparent pt-3 pb-2.5 font-medium whitespace-nowrap text-fg-3 hover:text-fg-1 focus-visible:-outline-offset-2 aria-[current=page]:border-accent-solid aria-[current=page]:text-fg-1 max-md:grid max-md:min-h-11 max-md:items-center";

/**
 * The settings of one workspace. `members` renders the members tab, which belongs to another
 * feature; `onTry` opens the search try-out.
 */
function WorkspaceSettingsPage({
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
    "agent-config": () => (
      <Suspense fallback={<PageBody aria-busy="true" />}>
        <AgentTab workspace={workspace} />
      </Suspense>
    ),
  };
  return (
    <Main>
      {bar}
      <nav
        className="flex flex-none gap-5 overflow-x-auto border-b border-line px-6 scrollbar-none max-md:gap-4 max-md:px-4"
        aria-label={t("title")}
      >
        {workspaceTabs.map((name) =>
          tabs.includes(name) ? (
            <Link
              key={name}
              className={tabStyles}
              to="/workspace/$workspaceSlug/settings/$tab"
              params={{ workspaceSlug: workspace.slug, tab: name }}
              ref={name === tab ? showTab : null}
              aria-current={name === tab ? "page" : undefined}
            >
              {t(`tab.${name}`)}
            </Link>
          ) : (
            <ClosedDoor key={name} door="workspaceTab">
              <button
                type="button"
                className={cn(tabStyles, "flex cursor-default items-center gap-1.5")}
              >
                <LockKeyhole className="size-3.5 stroke-2" aria-hidden="true" />
                {t(`tab.${name}`)}
              </button>
            </ClosedDoor>
          ),
        )}
      </nav>
      {parts[tab]()}
    </Main>
  );
}

/** On phones the tabs are wider than the screen, so scroll the open one into view. */
const showTab = (link: HTMLAnchorElement | null): void =>
  link?.scrollIntoView({ block: "nearest", inline: "nearest" });

const TrialPanel = lazyPart(() => import("../features/inspection/components/trial-panel.tsx"));
const AgentTab = lazyPart(async () => ({
  default: (await import("../features/workspace-settings/components/agent-tab.tsx")).AgentTab,
}));
const WorkspaceMembers = lazyPart(() => import("./-workspace-members.tsx"));

/** A workspace's settings in the main column. */
export function WorkspaceSettingsScreen({ slug, tab }: { slug: string; tab: WorkspaceTab }) {
  const { t } = useTranslation("workspace");
  const navigate = useNavigate();
  const workspace = useQuery(workspacesQuery).data?.find((each) => each.slug === slug);
  const { multiUser, admin } = useRights();
  const [trying, setTrying] = useState(false);
  if (!workspace)
    return (
      <Main>
        <PageBody className="grid content-start justify-items-start gap-4">
          <p role="status">{t("gone")}</p>
          <Link className={buttonStyles()} to="/">
            {t("goHome")}
          </Link>
        </PageBody>
      </Main>
    );
  const members = multiUser ? (
    <Suspense fallback={<PageBody aria-busy="true" />}>
      <WorkspaceMembers workspace={workspace} />
    </Suspense>
  ) : (
    <PageBody>
      <div className="grid max-w-[64ch] gap-2 justify-items-start">
        <p>{t("noAccounts")}</p>
        <p className="text-fg-2">{t("noAccountsHelp")}</p>
        {admin && (
          <Link className={buttonStyles({ className: "mt-2" })} to="/settings/security">
            {t("accountsOpen")}
          </Link>
        )}
      </div>
    </PageBody>
  );
  const leave = async (): Promise<void> => {
    // The home page opens the first workspace in the cache, which must not be the deleted one.
    queryClient.setQueryData(
      workspacesQuery.queryKey,
      (old) => old && { ...old, workspaces: old.workspaces.filter((each) => each.slug !== slug) },
    );
    await navigate({ to: "/", ignoreBlocker: true });
    await queryClient.invalidateQueries({ queryKey: workspaceKeys.list });
  };
  return (
    <>
      <WorkspaceSettingsPage
        workspace={workspace}
        tab={tab}
        members={members}
        onDeleted={leave}
        onTry={() => setTrying(true)}
        bar={
          <Topbar
            above={
              <Link to="/workspace/$workspaceSlug" params={{ workspaceSlug: slug }}>
                {workspace.name}
              </Link>
            }
            title={t("title")}
          />
        }
      />
      {trying && tab === "vector-database" && (
        <Suspense fallback={<aside className={sidePanel} data-panel aria-busy="true" />}>
          <TrialPanel slug={slug} onClose={() => setTrying(false)} />
        </Suspense>
      )}
    </>
  );
}
