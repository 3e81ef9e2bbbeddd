import type { ProviderDeclaration } from "@carrel/contracts";
import { useSuspenseQuery } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button.tsx";
import { providersQuery } from "../../../lib/providers.ts";

const AllowedModelsDialog = lazy(() => import("./allowed-models-dialog.tsx"));

/** Which of a provider's models people may choose. */
export function AllowedModels({
  provider,
  saved,
}: {
  provider: ProviderDeclaration;
  saved: Record<string, unknown>;
}) {
  const { t } = useTranslation("settings");
  const [open, setOpen] = useState(false);
  const { allowed } = useSuspenseQuery(providersQuery).data;
  const models = allowed[provider.id];
  return (
    <div className="flex items-start gap-5">
      <div className="min-w-0 flex-1">
        <span className="font-medium">{t("allowedModels.label")}</span>
        <p className="text-fg-2">
          {models === undefined
            ? t("allowedModels.all")
            : t("allowedModels.some", { count: models.length })}
        </p>
      </div>
      <Button size="sm" aria-label={t("allowedModels.changeNamed")} onClick={() => setOpen(true)}>
        {t("allowedModels.change")}
      </Button>
      {open && (
        <Suspense>
          <AllowedModelsDialog
            provider={provider}
            saved={saved}
            allowed={allowed}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </div>
  );
}
