import { cn } from "../../../lib/cn.ts";
import { useQuery } from "@tanstack/react-query";
import { Eraser, Settings2, SquareSlash, type LucideIcon } from "lucide-react";
import { useEffect, useState, type RefObject } from "react";
import { useTranslation } from "react-i18next";
import { presetsQuery } from "../api/presets.ts";
import type { BuiltInCommand } from "../state/built-in-commands.ts";

/** Receives the field's key presses while the list is open; returns true if it handled the key. */
export type SlashKeys = (key: string) => boolean;
interface Entry {
  id: string;
  icon: LucideIcon;
  label: string;
  help: string;
  run: () => void;
}

/** The commands that match what was typed: the built-in ones, then the user's own. Focus stays in the field. */
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
  keysRef: RefObject<SlashKeys | null>;
  onActive: (option: string | null) => void;
  onPick: (command: string, sends: boolean) => void;
  onRun: (command: BuiltInCommand) => void;
  /** `initial`: text that was typed and isn't a command yet. */
  onManage: (initial: string | null) => void;
  onClose: () => void;
}) {
  const { t } = useTranslation("chat");
  const presets = useQuery(presetsQuery).data ?? [];
  const [at, setAt] = useState(0);
  const wanted = typed.slice(1).toLowerCase();
  const entries: Entry[] = [
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
  const all: Entry[] = [
    ...entries,
    {
      id: "manage",
      icon: Settings2,
      label: t("managePresets"),
      help: "",
      run: () => onManage(typed.length > 1 && entries.length === 0 ? typed : null),
    },
  ];
  const active = Math.min(at, all.length - 1);
  const optionId = (index: number): string => `${id}-${all[index]?.id ?? ""}`;
  const activeId = optionId(active);
  useEffect(() => {
    onActive(activeId);
    document.getElementById(activeId)?.scrollIntoView({ block: "nearest" });
  }, [activeId, onActive]);
  useEffect(() => {
    keysRef.current = (key) => {
      if (key === "ArrowDown") setAt((active + 1) % all.length);
      else if (key === "ArrowUp") setAt((active + all.length - 1) % all.length);
      else if (key === "Escape") onClose();
      // Text that matches no command is an ordinary message: Enter sends it.
      else if (key === "Tab" || (key === "Enter" && (entries.length > 0 || wanted === "")))
        all[active]?.run();
      else return false;
      return true;
    };
    return () => {
      keysRef.current = null;
    };
  });
  return (
    <div
      className="absolute inset-x-0 bottom-[calc(100%+6px)] z-(--layer-sheet) max-h-66 overflow-y-auto rounded-md border border-line bg-overlay p-1 shadow-float in-data-[slot=hero]:top-[calc(100%+6px)] in-data-[slot=hero]:bottom-auto *:last:not-first:rounded-t-none *:last:not-first:border-t *:last:not-first:border-subtle [&_svg]:text-fg-3"
      role="listbox"
      id={id}
      aria-label={t("commands")}
    >
      {all.map((entry, index) => (
        <div
          key={entry.id}
          id={optionId(index)}
          role="option"
          aria-selected={index === active}
          className={cn(
            "flex min-h-8.5 min-w-0 cursor-pointer items-center gap-2 rounded-sm px-2 max-md:min-h-11",
            index === active && "bg-hover",
          )}
          onPointerMove={() => setAt(index)}
          onPointerDown={(event) => event.preventDefault()}
          onClick={entry.run}
        >
          <entry.icon className="size-3.5 stroke-2" aria-hidden="true" />
          <b dir={entry.id === "manage" ? undefined : "ltr"}>{entry.label}</b>
          {entry.help && <span className="truncate text-fg-3">{entry.help}</span>}
        </div>
      ))}
    </div>
  );
}
