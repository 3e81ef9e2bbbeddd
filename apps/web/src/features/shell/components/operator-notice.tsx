import type { getSystemConditions, Out } from "@carrel/contracts";
import { useQuery } from "@tanstack/react-query";
import { TriangleAlert, X } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../../../components/ui/button.tsx";
import { useRights } from "../../../lib/current-user.ts";
import { systemConditionsQuery } from "../api/system-conditions.ts";

const places = [
  "postgresql",
  "redis",
  "data",
  "originals",
  "index",
  "logs",
  "models",
  "search index",
  "backup",
] as const;
type Place = (typeof places)[number];

/** The page of the documentation that says what to do. */
const runbooks = {
  "disk-low": "docs/runbooks/full-disk.md",
  "disk-full": "docs/runbooks/full-disk.md",
  unreachable: "docs/runbooks/unreachable-store.md",
  "backup-old": "docs/backup.md",
} as const;

type SystemCondition = Out<typeof getSystemConditions>["conditions"][number];
const keyOf = ({ place, condition }: SystemCondition): string => `${place} ${condition}`;

/** Tells admins what is degraded and where to read what to do; a closed warning returns with its cause. */
export function OperatorNotice() {
  const { t } = useTranslation("shell");
  const { admin } = useRights();
  const { data: conditions = [] } = useQuery({ ...systemConditionsQuery, enabled: admin });
  const [closed, setClosed] = useState<readonly string[]>([]);
  const present = conditions.map(keyOf);
  if (closed.some((key) => !present.includes(key)))
    setClosed(closed.filter((key) => present.includes(key)));
  const shown = conditions.filter((each) => !closed.includes(keyOf(each)));
  return (
    <div
      className="pointer-events-none fixed inset-x-0 top-12 z-(--layer-toast) flex justify-center px-3 max-md:top-25 md:group-data-[sidebar=shown]/app:start-(--size-sidebar)"
      aria-live="polite"
    >
      {admin && shown.length > 0 && (
        <div className="pointer-events-auto flex max-w-full animate-appear items-start gap-2 rounded-md border border-line bg-overlay px-3 py-2 text-sm text-fg-1 shadow-float">
          <TriangleAlert className="mt-0.5 size-4 flex-none text-warning" aria-hidden="true" />
          <ul className="min-w-0 wrap-anywhere" aria-label={t("conditions.title")}>
            {shown.map((each) => (
              <li key={keyOf(each)}>
                {t(`conditions.${each.condition}`, {
                  place: places.includes(each.place as Place)
                    ? t(`conditions.places.${each.place as Place}`)
                    : each.place,
                })}{" "}
                {t("conditions.read")}{" "}
                <code className="font-mono text-[0.93em]" dir="ltr">
                  {runbooks[each.condition]}
                </code>
              </li>
            ))}
          </ul>
          <IconButton label={t("conditions.close")} onClick={() => setClosed(present)}>
            <X className="size-4" aria-hidden="true" />
          </IconButton>
        </div>
      )}
    </div>
  );
}
