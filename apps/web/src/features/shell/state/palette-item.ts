import type { LucideIcon } from "lucide-react";

export interface PaletteItem {
  id: string;
  label: string;
  /** Shown below the label. */
  excerpt?: string;
  /** As `excerpt`, with what the server found flagged. */
  pieces?: { text: string; hit: boolean }[];
  hint?: string;
  /** Also found by these. */
  terms?: string;
  icon: LucideIcon;
  run: () => void;
}
