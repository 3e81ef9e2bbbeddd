import { LockKeyhole } from "lucide-react";
import { cn } from "../../lib/cn.ts";

/** Why something is unavailable to the user, and whom to ask. */
export const ClosedReason = ({ reason, className }: { reason: string; className?: string }) => (
  <p className={cn("flex gap-2 text-sm text-fg-2", className)}>
    <LockKeyhole className="mt-0.75 size-3.5 flex-none stroke-2 text-fg-3" aria-hidden="true" />
    <span className="min-w-0">{reason}</span>
  </p>
);
