import { useQuery } from "@tanstack/react-query";
import { Eraser, Settings2, SquareSlash } from "lucide-react";
import type { RefObject } from "react";
import { useTranslation } from "react-i18next";
import { presetsQuery, type BuiltInCommand } from "../api/slash-commands.ts";
import { ComposerList, type ListEntry, type ListKeys } from "./composer-list.tsx";

/**
 * The commands that match what was typed: the built-in ones, then the user's own. Focus stays in
 * the field.
 */
export default function SlashMenu({
  id,
  typed,
  builtIn,
  keysRef,
  onActive,
  onPick,
  onRun,
  onManage,
  onClose,
}: {
  id: string;
  typed: string;
  builtIn: BuiltInCommand[];
  keysRef: RefObject<ListKeys | null>;
  onActive: (option: string | null) => void;
  onPick: (command: string, sends: boolean) => void;
  onRun: (command: BuiltInCommand) => void;
  /** `initial`: text that was typed and isn't a command yet. */
  onManage: (initial: string | null) => void;
  onClose: () => void;
}) {
  const { t } = useTranslation("chat");
  const presets = useQuery(presetsQuery).data ?? [];
  const wanted = typed.slice(1).toLowerCase();
  const entries: ListEntry[] = [
    {
      id: "reset",
      icon: Eraser,
      label: "/reset",
      help: t("resetHelp"),
      run: () => onPick("/reset", true),
    },
    ...builtIn
      .filter(({ command }) => presets.every((preset) => preset.command !== command))
      .map((each) => ({
        id: each.command.slice(1),
        icon: each.icon,
        label: each.command,
        help: each.help,
        run: () => onRun(each),
      })),
    ...presets.map((preset) => ({
      id: `preset-${preset.id}`,
      icon: SquareSlash,
      label: preset.command,
      help: preset.description || preset.prompt,
      run: () => onPick(preset.command, false),
    })),
  ].filter((entry) => entry.label.slice(1).toLowerCase().includes(wanted));
  const all: ListEntry[] = [
    ...entries.map((entry) => ({ ...entry, isCode: true })),
    {
      id: "manage",
      icon: Settings2,
      label: t("managePresets"),
      help: "",
      run: () => onManage(typed.length > 1 && entries.length === 0 ? typed : null),
    },
  ];
  return (
    <ComposerList
      id={id}
      label={t("commands")}
      entries={all}
      keysRef={keysRef}
      // Text that matches no command is an ordinary message: Enter sends it.
      picksOnEnter={entries.length > 0 || wanted === ""}
      onActive={onActive}
      onClose={onClose}
    />
  );
}
