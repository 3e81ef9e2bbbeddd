import { useTranslation } from "react-i18next";
import { formatMonth } from "../../../lib/format.ts";
import type { ThreadGroup } from "../state/thread-groups.ts";

/** Says what the threads below it have in common. */
export function ThreadHeading({ group }: { group: ThreadGroup }) {
  const { t } = useTranslation("shell");
  return (
    <h3 className="truncate px-2 pt-2 pb-0.5 text-2xs/5 font-medium text-fg-3">
      {typeof group === "string" ? t(`group.${group}`) : formatMonth(group.monthOf)}
    </h3>
  );
}
