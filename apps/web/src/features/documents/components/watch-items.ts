import type { WatchWire, WorkspaceDocumentStatus } from "@carrel/contracts";
import i18next from "i18next";
import { Eye, EyeOff, RefreshCw, Settings2 } from "lucide-react";
import "../../../components/live-sync/texts.ts";
import type { MenuItem } from "../../../components/ui/dropdown-menu.tsx";
import type { WorkspaceRowActions } from "../state/workspace-actions.ts";

/** What can be done about a document's sync with its source; nothing if it can't be watched. */
export function watchItems(
  document: WorkspaceDocumentStatus,
  watch: WatchWire | null,
  {
    watch: toggle,
    syncNow,
    showWatch,
  }: Pick<WorkspaceRowActions, "watch" | "syncNow" | "showWatch">,
): MenuItem[] {
  if (!document.watched)
    return document.canWatch && document.docpath !== null
      ? [{ label: i18next.t("live-sync:watch"), icon: Eye, run: () => toggle(document) }]
      : [];
  return [
    ...(watch?.state === "waiting"
      ? [{ label: i18next.t("live-sync:syncNow"), icon: RefreshCw, run: () => syncNow(document) }]
      : []),
    ...(watch
      ? [
          {
            label: i18next.t("live-sync:settings"),
            icon: Settings2,
            run: () => showWatch(document),
          },
        ]
      : []),
    { label: i18next.t("live-sync:unwatch"), icon: EyeOff, run: () => toggle(document) },
  ];
}
