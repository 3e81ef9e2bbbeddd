import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Notice } from "../../../components/ui/notice.tsx";

/** Explains why the text of a document is shown instead of its pages. */
export function TextInstead({ title, children }: { title: string; children: ReactNode }) {
  const { t } = useTranslation("sources");
  return (
    <>
      <div className="px-4 pt-4">
        <Notice kind="warn">
          <p>
            <b>{title}</b>
          </p>
          <p>{t("pdfFailedHelp")}</p>
        </Notice>
      </div>
      {children}
    </>
  );
}
