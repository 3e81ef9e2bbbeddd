import { useNavigate } from "@tanstack/react-router";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import "../features/admin/settings-texts.ts";
import Palette from "../features/shell/components/palette.tsx";
import type { PaletteProps } from "../features/shell/state/palette-groups.ts";
import { useRights } from "../lib/current-user.ts";
import { mayOpen, settingsGroups } from "./-settings-pages.ts";

/** The palette, with the settings pages that this user may open. */
export default function AppPalette(props: Omit<PaletteProps, "pages">) {
  const { t } = useTranslation("settings");
  const navigate = useNavigate();
  const rights = useRights();
  const pages = useMemo(
    () =>
      settingsGroups
        .flatMap(({ links }) => [...links])
        .filter((link) => mayOpen(link, rights))
        .map(({ page, to, icon }) => ({
          name: t(`page.${page}`),
          also: `${t(`sentence.${page}`)} ${t(`keywords.${page}`)}`,
          icon,
          open: () => void navigate({ to }),
        })),
    [t, rights, navigate],
  );
  return <Palette {...props} pages={pages} />;
}
