import { useSuspenseQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { FailedQuery } from "../../../components/ui/notice.tsx";
import { Skeleton } from "../../../components/ui/progress.tsx";
import { QueryBoundary } from "../../../components/ui/query-boundary.tsx";
import { inspectionQuery } from "../api/inspection.ts";
import { InspectionView, SidePanel } from "./inspection-view.tsx";

/** Side panel that shows how an answer was produced. */
export default function InspectionPanel({
  slug,
  chatId,
  onClose,
}: {
  slug: string;
  chatId: number;
  onClose: () => void;
}) {
  const { t } = useTranslation("inspection");
  return (
    <SidePanel title={t("title")} onClose={onClose}>
      <QueryBoundary
        pending={
          <div
            className="grid content-start gap-4"
            role="status"
            aria-busy="true"
            aria-label={t("loading")}
          >
            {[40, 70, 55].map((width) => (
              <Skeleton key={width} style={{ inlineSize: `${width}%` }} />
            ))}
          </div>
        }
        failed={(failed) => <FailedQuery title={t("failed")} retryLabel={t("retry")} {...failed} />}
      >
        <TurnInspection slug={slug} chatId={chatId} />
      </QueryBoundary>
    </SidePanel>
  );
}

function TurnInspection({ slug, chatId }: { slug: string; chatId: number }) {
  const { t } = useTranslation("inspection");
  const { data: inspection } = useSuspenseQuery(inspectionQuery(slug, chatId));
  return inspection === null ? (
    <div className="grid gap-1">
      <p>{t("none")}</p>
      <p className="text-fg-2">{t("noneHelp")}</p>
    </div>
  ) : (
    <InspectionView slug={slug} inspection={inspection} isTrial={false} />
  );
}
