import { ChevronDown, ChevronRight } from "lucide-react";
import type { ReactNode } from "react";

/** Rarely needed settings behind a button. */
export function Disclosure({
  label,
  open,
  onToggle,
  children,
}: {
  label: string;
  open: boolean;
  onToggle: () => void;
  children: ReactNode;
}) {
  return (
    <div className="rounded-md border border-line">
      <button
        type="button"
        className="flex w-full items-center gap-2 rounded-md px-4 py-2.5 font-medium [&_svg]:text-fg-3"
        aria-expanded={open}
        onClick={onToggle}
      >
        {open ? (
          <ChevronDown className="size-3.5 stroke-2" aria-hidden="true" />
        ) : (
          <ChevronRight className="size-3.5 stroke-2 rtl:-scale-x-100" aria-hidden="true" />
        )}
        {label}
      </button>
      {open && <div className="grid gap-4 px-4 pt-1 pb-4">{children}</div>}
    </div>
  );
}
