import { useQuery } from "@tanstack/react-query";
import { Link, Outlet, useRouterState } from "@tanstack/react-router";
import { ArrowLeft } from "lucide-react";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { navRow } from "../components/ui/styles.ts";
import { SearchField } from "../components/ui/text-field.tsx";
import { acceptedTypesQuery } from "../features/documents/api/accepted-types.ts";
import { FileDrop } from "../features/documents/components/file-drop.tsx";
import { AppShell } from "../features/shell/components/app-shell.tsx";
import { Sidebar, sideLabel, toggleSidebar } from "../features/shell/components/sidebar.tsx";
import { includesAll, wordsOf } from "../features/shell/state/hits.ts";
import { useRights } from "../lib/current-user.ts";
import { useShortcuts } from "../lib/keyboard.ts";
import "../lib/settings-texts.ts";
import { toast } from "../lib/toast.ts";
import { workspacesQuery } from "../lib/workspaces.ts";
import { settingsGroupsFor, settingsPageTerms } from "./-settings-pages.ts";
import { UserFoot } from "./-user-foot.tsx";

/** The settings layout: a sidebar with the pages this user may open, and a search for them. */
export function SettingsShell() {
  const { t } = useTranslation("settings");
  const rights = useRights();
  const [term, setTerm] = useState("");
  const words = wordsOf(term);
  const groups = settingsGroupsFor(rights)
    .map(({ group, links }) => ({
      group,
      links: links.filter(({ page }) => includesAll(settingsPageTerms(t, page), words)),
    }))
    .filter(({ links }) => links.length > 0);
  // The builder has no user menu (specification).
  const isBuilder = useRouterState({
    select: ({ location }) => location.pathname.startsWith("/settings/agents/builder"),
  });
  useShortcuts(useMemo(() => [{ key: "b", run: toggleSidebar }], []));
  return (
    <AppShell
      sidebar={
        <Sidebar
          label={t("title")}
          head={
            <Link className={navRow} to="/">
              <ArrowLeft className="rtl:-scale-x-100" />
              <span>{t("back")}</span>
            </Link>
          }
          foot={!isBuilder && <UserFoot settings={false} />}
        >
          <SearchField
            className="mb-2 h-8 max-md:h-10"
            label={t("search")}
            value={term}
            onChange={(event) => setTerm(event.target.value)}
            onKeyDown={(event) => {
              if (event.key === "Escape") setTerm("");
            }}
          />
          {groups.map(({ group, links }) => (
            <div key={group} role="group" aria-label={t(group)}>
              <div className={sideLabel} aria-hidden="true">
                <span>{t(group)}</span>
              </div>
              {links.map(({ page, to, rest, icon: Icon }) => (
                <Link
                  key={page}
                  className={navRow}
                  to={to}
                  {...(rest !== undefined && { params: { _splat: rest } })}
                  activeProps={{ "aria-current": "page" }}
                >
                  <Icon aria-hidden="true" />
                  {t(`page.${page}`)}
                </Link>
              ))}
            </div>
          ))}
          <p className="px-2 text-fg-3 empty:hidden" role="status">
            {groups.length === 0 ? t("searchNone", { term }) : ""}
          </p>
        </Sidebar>
      }
    >
      <Outlet />
      <SettingsDrop />
    </AppShell>
  );
}

/**
 * Files dropped on the settings go only to the library, because no workspace is open. Uploads
 * continue in the background, so unsaved settings stay on the page.
 */
function SettingsDrop() {
  const { t } = useTranslation("documents");
  const accept = useQuery(acceptedTypesQuery).data?.join(",") ?? "";
  // Uploads go through a workspace, even if they stay in the library.
  const slug = useQuery(workspacesQuery).data?.[0]?.slug;
  const onFiles = (files: File[]): void => {
    if (slug === undefined) return;
    void import("../features/documents/state/uploads.ts").then(({ addDropped }) => {
      const dropped = files.map((file) => ({ file, folder: "" }));
      addDropped(slug, { files: dropped, skipped: [] }, { embed: false });
      toast.info(t("uploadingToLibrary", { count: files.length }));
    });
  };
  return (
    <FileDrop
      title={t("dropLibrary")}
      accept={accept}
      onFiles={slug === undefined ? null : onFiles}
    />
  );
}
