import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { Suspense, lazy, useState } from "react";
import { useTranslation } from "react-i18next";
import { buttonStyles } from "../components/ui/button.tsx";
import { PageBody } from "../components/ui/form-section.tsx";
import { Main } from "../components/ui/page.tsx";
import { sidePanel } from "../components/ui/styles.ts";
import { Topbar } from "../features/shell/components/topbar.tsx";
import { WorkspaceSettingsPage } from "../features/workspace-settings/components/workspace-settings-page.tsx";
import type { WorkspaceTab } from "../features/workspace-settings/state/tabs.ts";
import { useRights } from "../lib/current-user.ts";
import { queryClient } from "../lib/query-client.ts";
import { workspaceKeys } from "../lib/query-keys.ts";
import { workspacesQuery } from "../lib/workspaces.ts";

const TrialPanel = lazy(() => import("../features/inspection/components/trial-panel.tsx"));
const WorkspaceMembers = lazy(() => import("./-workspace-members.tsx"));

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
