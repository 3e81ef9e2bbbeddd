import { Moon, Sun } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../../../components/ui/button.tsx";
import { Logo } from "../../../components/ui/logo.tsx";
import { column } from "../../../components/ui/styles.ts";
import { usePageTitle } from "../../../lib/brand.ts";
import "../../../lib/share.ts";
import { chooseTheme, useTheme } from "../../../lib/theme.ts";

/** A page for people with a link, who may have no session: logo and theme, no sign-in. */
export function SharedFrame({ title, children }: { title: string; children: ReactNode }) {
  const { t } = useTranslation("share");
  const theme = useTheme();
  usePageTitle(title);
  return (
    <div className="min-h-dvh bg-surface">
      <header className="border-b border-subtle">
        <div className={`${column} flex h-13 items-center justify-between`}>
          <Logo height={20} />
          <IconButton
            label={theme === "light" ? t("page.dark") : t("page.light")}
            onClick={() => chooseTheme(theme === "light" ? "default" : "light")}
          >
            {theme === "light" ? <Moon /> : <Sun />}
          </IconButton>
        </div>
      </header>
      <main className={`${column} pt-8 pb-16 max-md:pt-6`}>{children}</main>
    </div>
  );
}
