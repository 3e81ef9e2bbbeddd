import { useTranslation } from "react-i18next";
import { FailedQuery } from "../../../components/ui/notice.tsx";

/** Shown instead of a page that couldn't be loaded. */
export function FailedPage({
  title,
  error,
  retry,
}: {
  title?: string;
  error: Error;
  retry: () => void;
}) {
  const { t } = useTranslation("sources");
  return (
    <div className="p-4">
      <FailedQuery
        {...(title !== undefined && { title })}
        retryLabel={t("retry")}
        error={error}
        retry={retry}
      />
    </div>
  );
}
