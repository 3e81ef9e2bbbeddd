import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button.tsx";
import { formatAgo } from "../../../lib/format.ts";
import { toast } from "../../../lib/toast.ts";
import { allowedToolsQuery, useRemoveAllowedTool } from "../api/allowed-tools.ts";

/** Agents' tools that run for the user without further approvals; nothing if there are none. */
export function AllowedTools() {
  const { t } = useTranslation("account");
  const { data: tools = [] } = useQuery(allowedToolsQuery);
  const remove = useRemoveAllowedTool();
  if (tools.length === 0) return null;
  return (
    <section className="grid content-start gap-4" aria-labelledby="allowed-title">
      <div>
        <h3 className="font-medium" id="allowed-title">
          {t("allowed.title")}
        </h3>
        <p className="text-fg-3">{t("allowed.text")}</p>
      </div>
      <ul className="grid">
        {tools.map(({ skillName: name, createdAt }) => (
          <li
            key={name}
            className="flex min-h-[52px] items-center gap-3 border-subtle not-first:border-t"
          >
            <div className="min-w-0 flex-1">
              <p className="truncate font-medium" title={name} dir="ltr">
                {name}
              </p>
              <p className="text-xs text-fg-3">
                {t("allowed.since", { when: formatAgo(createdAt) })}
              </p>
            </div>
            <Button
              className="max-md:min-h-11"
              variant="quiet"
              size="sm"
              aria-label={t("allowed.removeOf", { name })}
              disabled={remove.isPending}
              onClick={() =>
                remove.mutate(name, {
                  onSuccess: () => toast.success(t("allowed.removed", { name })),
                })
              }
            >
              {t("allowed.remove")}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
