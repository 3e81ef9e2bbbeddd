import { TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";

/** A warning below a field whose value is allowed but unusual. */
export const Caution = ({ children }: { children: ReactNode }) => (
  <p className="flex gap-1.5 text-xs text-warning" role="status">
    <TriangleAlert className="size-3.5 stroke-2 mt-0.5" aria-hidden="true" />
    <span>{children}</span>
  </p>
);
