import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Notice } from "../../../components/ui/notice.tsx";
import "../../../styles/inspection.css";
import "../texts.ts";
import { inspectionQuery } from "../api/inspection.ts";
import { InspectionView } from "./inspection-view.tsx";
import { SidePanel } from "./side-panel.tsx";

/** How one answer came about, beside it. */
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
  const { data, error, refetch } = useQuery(inspectionQuery(slug, chatId));
  return (
    <SidePanel title={t("title")} onClose={onClose}>
      {error ? (
        <Notice
          kind="bad"
          action={
            <button type="button" className="btn sm" onClick={() => void refetch()}>
              {t("retry")}
            </button>
          }
        >
          <p>
            <b>{t("failed")}</b>
          </p>
          <p>{error.message}</p>
        </Notice>
      ) : data === undefined ? (
        <div className="grid content-start gap-4" aria-busy="true" aria-label={t("loading")}>
          {[40, 70, 55].map((width) => (
            <span className="skel" key={width} style={{ inlineSize: `${width}%` }} />
          ))}
        </div>
      ) : data === null ? (
        <div className="grid gap-1">
          <p>{t("none")}</p>
          <p className="t2">{t("noneHelp")}</p>
        </div>
      ) : (
        <InspectionView inspection={data} isTrial={false} />
      )}
    </SidePanel>
  );
}
