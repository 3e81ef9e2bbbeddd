import { X } from "lucide-react";
import { useEffect, useRef, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../../../components/ui/icon-button.tsx";

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
  useEffect(() => {
    const before = document.activeElement;
    panel.current?.focus({ preventScroll: true });
    return () => {
      if (before instanceof HTMLElement && before.isConnected)
        before.focus({ preventScroll: true });
    };
  }, []);
  return (
    <aside
      className="panel"
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
      <header className="topbar">
        <h2 className="med grow cut">{title}</h2>
        <IconButton label={t("close")} onClick={onClose}>
          <X className="i" />
        </IconButton>
      </header>
      <div className="page-area">{children}</div>
    </aside>
  );
}
