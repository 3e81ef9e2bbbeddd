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
    <main className="login">
      <div className="ob-top">
        <IconButton
          label={theme === "light" ? t("dark") : t("light")}
          onClick={() => chooseTheme(theme === "light" ? "default" : "light")}
        >
          {theme === "light" ? <Moon className="i" /> : <Sun className="i" />}
        </IconButton>
      </div>
      <div className="login-card">
        <div>
          {logo ?? <Logo height={26} />}
          <h1>{title}</h1>
          {sentence && <p className="t3">{sentence}</p>}
        </div>
        {children}
      </div>
      <span />
      <Bookshelf />
    </main>
  );
}
