import { Activity } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button.tsx";
import { formatNumber } from "../../../lib/format.ts";
import { useUploads } from "../state/upload-store.ts";
import { summarise } from "../state/upload-batches.ts";

/**
 * Counts active and failed uploads. Subscribes to the uploads itself so that the lists need not
 * re-render.
 */
export function ActivityButton({ slug, onClick }: { slug: string; onClick: () => void }) {
  const { t } = useTranslation("library");
  const { inProgress, failed } = summarise(slug, useUploads());
  const number = inProgress + failed > 0 ? formatNumber(inProgress + failed) : "";
  return (
    <Button
      variant="quiet"
      size="sm"
      aria-label={`${t("activity")} ${number}`.trim()}
      onClick={onClick}
    >
      <Activity className="size-3.5 stroke-2" aria-hidden="true" />
      <span className="max-md:hidden">{t("activity")}</span>{" "}
      {number !== "" && (
        <span className={failed > 0 ? "text-danger tabular-nums" : "text-fg-3 tabular-nums"}>
          {number}
        </span>
      )}
    </Button>
  );
}
