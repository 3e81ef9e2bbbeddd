import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { SlidersHorizontal } from "lucide-react";
import { useTranslation } from "react-i18next";
import "../lib/settings-texts.ts";
import { Palette } from "../features/shell/components/palette.tsx";
import type { PaletteProps } from "../features/shell/state/palette-groups.ts";
import type { PaletteItem } from "../features/shell/state/palette-item.ts";
import { workspaceTabs } from "../features/workspace-settings/state/tabs.ts";
import "../features/workspace-settings/texts.ts";
import { useRights } from "../lib/current-user.ts";
import { workspacesQuery } from "../lib/workspaces.ts";
import { usePaletteActions } from "./-palette-actions.ts";
import { settingsGroupsFor, settingsPageTerms } from "./-settings-pages.ts";

/** The palette with the settings pages of the instance and of the current workspace. */
export default function SearchPalette(props: Omit<PaletteProps, "settings" | "actions">) {
  const { t } = useTranslation(["settings", "workspace"]);
  const navigate = useNavigate();
  const rights = useRights();
  const workspace = useQuery(workspacesQuery).data?.find(({ slug }) => slug === props.target);
  const pages = settingsGroupsFor(rights).flatMap(({ group, links }) =>
    links.map(({ page, to, icon }): PaletteItem => ({
      id: `settings-${page}`,
      label: t(`page.${page}`),
      hint: t(group),
      terms: settingsPageTerms(t, page),
      icon,
      run: () => void navigate({ to }),
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
