import type { FlowStep } from "@carrel/contracts";
import {
  ArrowDown,
  ArrowLeft,
  ArrowRight,
  ArrowUp,
  Copy,
  Pencil,
  Play,
  Trash2,
} from "lucide-react";
import { useTranslation } from "react-i18next";
import type { MenuItem } from "../../../components/ui/dropdown-menu.tsx";
import { startOf, type Direction } from "../state/tree.ts";
import { useBlockName } from "../state/use-builder.ts";
import { useScope } from "./builder-context.ts";

/** What can be done with a block. */
export function useBlockMenu(step: FlowStep, rename: () => void): MenuItem[] {
  const { t } = useTranslation("flows");
  const { builder, runFrom } = useScope();
  const nameOf = useBlockName();
  const id = step.id ?? "";
  const move = (direction: Direction, icon: MenuItem["icon"], key: string): MenuItem => ({
    label: t(`block.${direction}`),
    icon,
    shortcut: key,
    disabled: !builder.canMove(id, direction),
    run: () => builder.move(step, direction),
  });
  const start = startOf(builder.content.steps, id) ?? step;
  return [
    { label: t("block.rename"), icon: Pencil, run: rename },
    ...(runFrom && builder.lastRun && step.type !== "start"
      ? [
          {
            label:
              start.id === id
                ? t("block.runFrom")
                : t("block.runFromLoop", { name: nameOf(start) }),
            icon: Play,
            run: () => runFrom(start),
          },
        ]
      : []),
    ...(step.type === "start"
      ? []
      : [
          move("up", ArrowUp, "Alt ↑"),
          move("down", ArrowDown, "Alt ↓"),
          move("into", ArrowRight, "Alt →"),
          move("out", ArrowLeft, "Alt ←"),
          { label: t("block.duplicate"), icon: Copy, run: () => builder.duplicate(step) },
        ]),
    {
      label: t("block.delete"),
      icon: Trash2,
      danger: true,
      run: () => builder.remove(step),
    },
  ];
}
