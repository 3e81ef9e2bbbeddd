import { X } from "lucide-react";
import { useLayoutEffect, useRef, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../../../components/ui/button.tsx";
import { pageArea, sidePanel, topbar } from "../../../components/ui/styles.ts";

/** A side panel: takes focus, closes on Escape, and returns focus to where it was. */
export function SidePanel({
  title,
  onClose,
  children,
}: {
  title: string;
  onClose: () => void;
  children: ReactNode;
}) {
  const { t } = useTranslation("inspection");
  const panel = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const before = document.activeElement; // before the user can focus a field of the panel
    panel.current?.focus({ preventScroll: true });
    return () => {
      if (before instanceof HTMLElement && before.isConnected)
        before.focus({ preventScroll: true });
    };
  }, []);
  return (
    <aside
      className={sidePanel}
      data-panel
      aria-label={title}
      ref={panel}
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key === "Escape" && !event.defaultPrevented) {
          event.preventDefault();
          onClose();
        }
      }}
    >
      <header className={topbar}>
        <h2 className="min-w-0 flex-1 truncate font-medium">{title}</h2>
        <IconButton label={t("close")} onClick={onClose}>
          <X />
        </IconButton>
      </header>
      <div className={pageArea}>{children}</div>
    </aside>
  );
}
