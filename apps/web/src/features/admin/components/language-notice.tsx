import type { getIndexState, Out } from "@carrel/contracts";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import { listLanguages, shortModelName } from "../../../lib/format.ts";
import { providersQuery, useSaveSettings } from "../../../lib/providers.ts";
import { toast } from "../../../lib/toast.ts";

const modelKey = "EmbeddingModelPref";

/** Languages that the active index's vectors don't cover, and a model that does. */
export function LanguageNotice({
  state: { active, vectorsWork, languagesWithoutVectors, multilingualModel },
}: {
  state: Out<typeof getIndexState>;
}) {
  const { t } = useTranslation("settings");
  const locked = useQuery(providersQuery).data?.locked ?? [];
  const settings = useSaveSettings();
  if (!active || languagesWithoutVectors.length === 0) return null;
  const languages = listLanguages(languagesWithoutVectors, t("index.otherLanguages"));
  const offered = locked.includes(modelKey) ? null : multilingualModel;
  const model = offered && shortModelName(offered.model);
  return (
    <Notice
      kind={vectorsWork === false ? "warn" : "info"}
      action={
        offered && (
          <Button
            size="sm"
            disabled={settings.isPending}
            onClick={() =>
              settings.mutate(
                { EmbeddingEngine: "native", [modelKey]: offered.model },
                {
                  onSuccess: () => toast.success(t("saved.embedding")),
                  onError: ({ message }) => toast.error(t("saveFailed.embedding", { message })),
                },
              )
            }
          >
            {t("index.useModel", { model })}
          </Button>
        )
      }
    >
      <p>
        {vectorsWork === false ? (
          <>
            <b>{t("index.vectorsUseless")}</b> {t("index.vectorsUselessHelp", { languages })}
          </>
        ) : (
          <>
            <b>{t("index.languagesWithout", { languages })}</b>{" "}
            {t("index.languagesWithoutHelp", { model: shortModelName(active.model) })}
          </>
        )}
      </p>
      {offered && <p>{t("index.multilingual", { model, size: offered.size })}</p>}
    </Notice>
  );
}
