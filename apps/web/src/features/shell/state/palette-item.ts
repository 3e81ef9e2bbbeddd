import type { LucideIcon } from "lucide-react";

export interface PaletteItem {
  id: string;
  label: string;
  /** Shown below the label. */
  excerpt?: string;
  /** Like `excerpt`, with the server's matches flagged. */
  pieces?: { text: string; hit: boolean }[];
  hint?: string;
  /** Additional terms by which it is found. */
  terms?: string;
  icon: LucideIcon;
  run: () => void;
}
