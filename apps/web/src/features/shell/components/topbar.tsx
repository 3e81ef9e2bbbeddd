import { ChevronRight, Menu as MenuIcon, PanelLeft } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../../../components/ui/icon-button.tsx";
import { shortcutLabel } from "../../../lib/keyboard.ts";
import { openSheet, toggleSidebar, useSidebar } from "../state/sidebar.ts";

/** The bar above the main column: where you are, then what you can do here. */
export function Topbar({
  above,
  title,
  children,
}: {
  above?: ReactNode;
  title: string;
  children?: ReactNode;
}) {
  const { t } = useTranslation("shell");
  const { shown } = useSidebar();
  return (
    <header className="topbar">
      <IconButton className="phone-only" label={t("openSidebar")} onClick={openSheet}>
        <MenuIcon className="i" />
      </IconButton>
      {!shown && (
        <IconButton
          className="desk-only -ms-2 me-1"
          label={`${t("showSidebar")} (${shortcutLabel("B")})`}
          onClick={toggleSidebar}
        >
          <PanelLeft className="i" />
        </IconButton>
      )}
      <div className="crumbs">
        {above && (
          <>
            <span className="t3 cut">{above}</span>
            <span className="sep" aria-hidden="true">
              <ChevronRight className="i sm" />
            </span>
          </>
        )}
        <h1 className="cut">{title}</h1>
      </div>
      <span className="grow desk-only" />
      {children}
    </header>
  );
}
