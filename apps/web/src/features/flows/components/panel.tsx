import { X } from "lucide-react";
import { useEffect, useRef, type ReactNode } from "react";
import { IconButton } from "../../../components/ui/button.tsx";
import { pageArea, sidePanel, topbar } from "../../../components/ui/styles.ts";

/** A panel beside the builder; on phones it covers it. Esc closes it. */
export function Panel({
  title,
  closeLabel,
  onClose,
  children,
}: {
  title: string;
  closeLabel: string;
  onClose: () => void;
  children: ReactNode;
}) {
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    const opener = document.activeElement;
    panel.current?.focus();
    return () => {
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
    };
  }, []);
  return (
    <aside
      ref={panel}
      className={sidePanel}
      data-panel
      aria-label={title}
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || event.defaultPrevented) return;
        event.preventDefault();
        onClose();
      }}
    >
      <header className={topbar}>
        <h2 className="me-auto ps-1 font-medium">{title}</h2>
        <IconButton label={closeLabel} onClick={onClose}>
          <X />
        </IconButton>
      </header>
      <div className={pageArea}>{children}</div>
    </aside>
  );
}
