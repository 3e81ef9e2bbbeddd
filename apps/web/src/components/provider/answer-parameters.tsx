import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { parametersQuery } from "../../lib/answer-parameters.ts";
import { Button } from "../ui/button.tsx";
import { FailedQuery } from "../ui/failed-query.tsx";
import "./parameter-texts.ts";

const ParameterDialog = lazy(() => import("./parameter-dialog.tsx"));

/** How long a workspace's answers may be and how its model picks words, in one line. */
export function AnswerParameters({ slug }: { slug: string }) {
  const { t } = useTranslation("parameters");
  const [open, setOpen] = useState(false);
  const state = useQuery(parametersQuery({ slug }));
  if (state.error)
    return (
      <FailedQuery
        title={t("loadFailed")}
        retryLabel={t("retry")}
        error={state.error}
        retry={() => void state.refetch()}
      />
    );
  const summary = (): string => {
    if (!state.data) return "…";
    const { workspaceSupports, workspace } = state.data;
    if (!workspaceSupports.maxTokens) return t("summaryUnsupported");
    const efforts = { low: t("effortLow"), medium: t("effortMedium"), high: t("effortHigh") };
    const parts = [
      workspace.maxTokens != null && t("summaryLength", { count: workspace.maxTokens }),
      workspace.topP != null && t("summaryTopP", { value: workspace.topP }),
      workspace.effort != null &&
        t("summaryEffort", { effort: efforts[workspace.effort].toLowerCase() }),
    ].filter((part) => part !== false);
    const line = parts.join(", ");
    return line === "" ? t("summaryNone") : line.charAt(0).toUpperCase() + line.slice(1);
  };
  return (
    <div className="flex items-start gap-5">
      <div className="min-w-0 flex-1">
        <span className="font-medium">{t("label")}</span>
        <p className="text-fg-2">{summary()}</p>
      </div>
      <Button
        size="sm"
        aria-label={t("changeNamed")}
        disabled={!state.data?.workspaceSupports.maxTokens}
        onClick={() => setOpen(true)}
      >
        {t("change")}
      </Button>
      {open && (
        <Suspense>
          <ParameterDialog owner={{ slug }} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </div>
  );
}
