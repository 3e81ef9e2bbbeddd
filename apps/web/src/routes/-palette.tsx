import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import {
  Download,
  KeyRound,
  Link2,
  MonitorSmartphone,
  ShieldCheck,
  SlidersHorizontal,
  UserRound,
  Workflow,
} from "lucide-react";
import { useTranslation } from "react-i18next";
import { openAccount } from "../features/account/state/account-request.ts";
import "../features/account/texts.ts";
import { useThreadExport } from "../features/chat/state/thread-export.ts";
import { findThread, threadsQuery } from "../features/shell/api/workspaces.ts";
import { Palette } from "../features/shell/components/palette.tsx";
import type { PaletteItem, PaletteProps } from "../features/shell/state/palette-groups.ts";
import { workspaceTabs } from "../features/workspace-settings/state/tabs.ts";
import "../features/workspace-settings/texts.ts";
import { useCurrentUser, useRights } from "../lib/current-user.ts";
import "../lib/settings-texts.ts";
import { sharedFlowsQuery } from "../lib/shared-flows.ts";
import { threadName } from "../lib/thread-name.ts";
import { workspacesQuery } from "../lib/workspaces.ts";
import { settingsGroupsFor, settingsPageTerms } from "./-settings-pages.ts";

const accountItems = [
  ["profile", "account:profile", "profile", UserRound],
  ["password", "account:password", "password", KeyRound],
  ["preferences", "account:preferences", "preferences", SlidersHorizontal],
  ["twoFactor", "account:factor.title", "security", ShieldCheck],
  ["sessions", "account:sessions.title", "security", MonitorSmartphone],
  ["links", "account:links", "links", Link2],
] as const;

/** The palette's actions on the user's account and the open thread. */
function usePaletteActions({
  workspaceSlug,
  threadSlug,
}: Pick<PaletteProps, "workspaceSlug" | "threadSlug">): PaletteItem[] {
  const { t } = useTranslation(["shell", "account", "chat"]);
  const user = useCurrentUser();
  const threads = useQuery({
    ...threadsQuery(workspaceSlug ?? ""),
    enabled: workspaceSlug !== null,
  });
  const thread = findThread(threads.data?.threads, threadSlug);
  const title = thread ? threadName(thread.name) : t("shell:defaultThread");
  const saveAs = useThreadExport(workspaceSlug ?? "", threadSlug, title);
  const exports = [
    ["markdown", "chat:exportMarkdown"],
    ["json", "chat:exportJson"],
    ["html", "chat:exportHtml"],
  ] as const;
  const navigate = useNavigate();
  const flows = useQuery(sharedFlowsQuery).data ?? [];
  return [
    ...(flows.length === 0
      ? []
      : [
          {
            id: "flows",
            label: t("shell:flows"),
            hint: "",
            terms: t("shell:terms.flows"),
            icon: Workflow,
            run: () => void navigate({ to: "/flows" }),
          },
          ...flows.map(({ id, name }): PaletteItem => ({
            id: `flow-${id}`,
            label: name,
            hint: t("shell:flows"),
            icon: Workflow,
            run: () => void navigate({ to: "/flows", search: { flow: id } }),
          })),
        ]),
    ...(workspaceSlug === null
      ? []
      : exports.map(([type, label]): PaletteItem => ({
          id: `export-${type}`,
          label: t(label),
          hint: title,
          terms: t("shell:terms.export"),
          icon: Download,
          run: () => saveAs(type),
        }))),
    ...(user
      ? accountItems.map(([name, label, tab, icon]): PaletteItem => ({
          id: `account-${name}`,
          label: t(label),
          hint: t("account:title"),
          terms: t(`shell:terms.${name}`),
          icon,
          run: () => openAccount(tab),
        }))
      : []),
  ];
}

/** The palette with the settings pages of the instance and of the current workspace. */
export default function SearchPalette(props: Omit<PaletteProps, "settings" | "actions">) {
  const { t } = useTranslation(["settings", "workspace"]);
  const navigate = useNavigate();
  const rights = useRights();
  const workspace = useQuery(workspacesQuery).data?.find(({ slug }) => slug === props.target);
  const pages = settingsGroupsFor(rights).flatMap(({ group, links }) =>
    links.map(({ page, to, rest, icon }): PaletteItem => ({
      id: `settings-${page}`,
      label: t(`page.${page}`),
      hint: t(group),
      terms: settingsPageTerms(t, page),
      icon,
      run: () => void navigate({ to, ...(rest !== undefined && { params: { _splat: rest } }) }),
    })),
  );
  const tabs =
    workspace === undefined || !rights.manager
      ? []
      : workspaceTabs.map((tab): PaletteItem => ({
          id: `workspace-settings-${tab}`,
          label: t(`workspace:tab.${tab}`),
          hint: workspace.name,
          terms: t("workspace:title"),
          icon: SlidersHorizontal,
          run: () =>
            void navigate({
              to: "/workspace/$workspaceSlug/settings/$tab",
              params: { workspaceSlug: workspace.slug, tab },
            }),
        }));
  return <Palette {...props} settings={[...pages, ...tabs]} actions={usePaletteActions(props)} />;
}
