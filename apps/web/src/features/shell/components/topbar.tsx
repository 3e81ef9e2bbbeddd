import { ChevronRight, Menu as MenuIcon, PanelLeft } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../../../components/ui/button.tsx";
import { topbar } from "../../../components/ui/styles.ts";
import { cn } from "../../../lib/cn.ts";
import { withShortcut } from "../../../lib/keyboard.ts";
import { openSheet, toggleSidebar, useSidebar } from "./sidebar.tsx";

/** The bar above the main column: location, then actions. */
export function Topbar({
  above,
  title,
  beside,
  children,
}: {
  above?: ReactNode;
  title: string;
  /** After the title. */
  beside?: ReactNode;
  children?: ReactNode;
}) {
  const { t } = useTranslation("shell");
  const { shown } = useSidebar();
  return (
    <header className={topbar}>
      <IconButton className="md:hidden" label={t("openSidebar")} onClick={openSheet}>
        <MenuIcon />
      </IconButton>
      {!shown && (
        <IconButton
          className="-ms-2 me-1 max-md:hidden"
          label={withShortcut(t("showSidebar"), "B")}
          onClick={toggleSidebar}
        >
          <PanelLeft />
        </IconButton>
      )}
      <div className="flex min-w-0 items-center gap-1.5 max-md:flex-1 max-md:flex-col max-md:items-start max-md:gap-0">
        {above && (
          <>
            <span
              className={cn(
                "max-w-[40ch] truncate text-fg-3 max-md:max-w-full max-md:has-[a]:-mt-2.5 max-md:[&_a]:block max-md:[&_a]:truncate max-md:[&_a]:pt-2.5",
                beside ? "max-md:has-[a]:-mb-2.5 max-md:[&_a]:pb-2.5" : "max-md:text-2xs/3.5",
              )}
              dir="auto"
            >
              {above}
            </span>
            <span className="flex text-fg-3 max-md:hidden" aria-hidden="true">
              <ChevronRight className="size-3.5 stroke-2 rtl:-scale-x-100" />
            </span>
          </>
        )}
        <h1
          className={cn(
            "max-w-[40ch] truncate text-sm font-medium max-md:max-w-full max-md:leading-4.5",
            !above && "max-md:text-2xs/4.5 max-md:text-fg-3",
            // The current tab beside it says the same, and phones have no room for both.
            above && beside && "max-md:sr-only",
          )}
          dir="auto"
        >
          {title}
        </h1>
      </div>
      {beside}
      <span className="min-w-0 flex-1 max-md:hidden" />
      {children}
    </header>
  );
}
