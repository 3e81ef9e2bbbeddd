import { useTranslation } from "react-i18next";
import { Dialog } from "../../../components/ui/dialog.tsx";
import { Kbd } from "../../../components/ui/kbd.tsx";
import { isMac, shortcutLabel } from "../../../lib/keyboard.ts";

/** Lists all keyboard shortcuts. */
export default function HelpDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation("shell");
  const rows: [string, string][] = [
    [shortcutLabel("K"), t("keySearch")],
    [shortcutLabel("Shift", "O"), t("keyNewThread")],
    [shortcutLabel("B"), t("keySidebar")],
    [shortcutLabel("/"), t("keyHelp")],
    [isMac ? "⌘" : "Ctrl", t("keyMark")],
    ["Alt ↑", t("keyMove")],
    ["Enter", t("keySend")],
    ["Shift Enter", t("keyBreak")],
    ["Esc", t("keyStop")],
    ["↑", t("keyEdit")],
  ];
  return (
    <Dialog open onClose={onClose} title={t("help")}>
      <dl className="grid gap-2">
        {rows.map(([keys, words]) => (
          <div className="flex items-center gap-2" key={keys}>
            <dt className="min-w-0 flex-1 text-fg-2">{words}</dt>
            <dd className="flex items-center gap-1">
              {keys.split(" ").map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
