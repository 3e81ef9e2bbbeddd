import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { PageBoundary } from "../../../components/ui/query-boundary.tsx";

export function SettingsBoundary({ children }: { children: ReactNode }) {
  const { t } = useTranslation("settings");
  return (
    <PageBoundary words={{ loading: t("loading"), failed: t("loadFailed"), retry: t("retry") }}>
      {children}
    </PageBoundary>
  );
}
