import "../../../lib/auth-texts.ts";
import { Moon, Sun } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../../../components/ui/icon-button.tsx";
import { Logo } from "../../../components/ui/logo.tsx";
import { usePageTitle } from "../../../lib/brand.ts";
import { chooseTheme, useTheme } from "../../../lib/theme.ts";
import { Bookshelf } from "./bookshelf.tsx";

/**
 * Layout of pages without a session: logo, title, one sentence, a form, and the bookshelf at the
 * bottom.
 */
export function AuthFrame({
  title,
  sentence,
  logo,
  children,
}: {
  title: string;
  sentence?: ReactNode;
  logo?: ReactNode;
  children?: ReactNode;
}) {
  const { t } = useTranslation("auth");
  const theme = useTheme();
  usePageTitle(title);
  return (
    <main className="relative grid min-h-dvh grid-rows-[auto_1fr_auto] overflow-hidden bg-canvas">
      <div className="relative z-1 flex flex-none justify-end gap-1 px-6 py-4 max-md:ps-4 max-md:pe-2">
        <IconButton
          label={theme === "light" ? t("dark") : t("light")}
          onClick={() => chooseTheme(theme === "light" ? "default" : "light")}
        >
          {theme === "light" ? <Moon /> : <Sun />}
        </IconButton>
      </div>
      <div className="relative z-1 grid w-[min(368px,100vw-32px)] gap-5 place-self-center">
        <div className="[&>svg]:ms-px">
          {logo ?? <Logo height={26} />}
          <h1 className="mt-5 text-2xl font-[560] tracking-tight">{title}</h1>
          {sentence && <p className="text-fg-3">{sentence}</p>}
        </div>
        {children}
      </div>
      <span />
      <Bookshelf />
    </main>
  );
}
