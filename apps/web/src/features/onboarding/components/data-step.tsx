import "../../../lib/settings-texts.ts";
import { ArrowRight } from "lucide-react";
import { useTranslation } from "react-i18next";
import { DataHandling } from "../../../components/provider/data-handling.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { StepPage } from "./step-page.tsx";

/** A summary of what was chosen and where data goes. */
export function DataStep({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation("onboarding");
  return (
    <StepPage
      title={t("data.title")}
      sentence={t("data.sentence")}
      back="user-setup"
      footer={
        <Button variant="primary" onClick={onDone}>
          {t("continue")}
          <ArrowRight className="rtl:-scale-x-100" aria-hidden="true" />
        </Button>
      }
    >
      <DataHandling />
    </StepPage>
  );
}
