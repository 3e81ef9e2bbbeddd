import type { LocalModelFile } from "@carrel/contracts";
import { useQuery } from "@tanstack/react-query";
import { Check } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import {
  DownloadRow,
  LicenseLink,
  ModelFigures,
  modelRow,
} from "../../../components/provider/local-model-parts.tsx";
import { Badge } from "../../../components/ui/badge.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { FieldHelp } from "../../../components/ui/field.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import { ConfirmDialog } from "../../../components/ui/overlays.tsx";
import { Skeleton } from "../../../components/ui/progress.tsx";
import {
  isRunning,
  localModelsQuery,
  useDeleteModel,
  useDownloadModel,
} from "../../../lib/local-models.ts";

const list = "divide-y divide-subtle rounded-md border border-line";
const heading = "mb-2 text-sm font-medium text-fg-2";

/** The models that Carrel can run itself: installed ones, downloads and offers. */
export function LocalModelsPanel({
  used,
  onUse,
}: {
  /** The file that writes the answers now; null if none does. */
  used: string | null;
  onUse: (file: string) => void;
}) {
  const { t } = useTranslation(["local-models", "common", "settings"]);
  const { data, error, refetch } = useQuery(localModelsQuery);
  const download = useDownloadModel();
  const [deleting, setDeleting] = useState<LocalModelFile | null>(null);
  const remove = useDeleteModel();
  if (error)
    return (
      <Notice
        kind="bad"
        action={
          <Button size="sm" onClick={() => void refetch()}>
            {t("common:retry")}
          </Button>
        }
      >
        <p>{t("loadFailed")}</p>
      </Notice>
    );
  if (!data)
    return (
      <div className="grid gap-3" role="status" aria-label={t("common:loading")}>
        <Skeleton className="w-1/3" />
        <Skeleton className="h-16 w-full" />
      </div>
    );
  if (!data.isOn) return null;
  const { files, downloads, hub } = data;
  const taken = new Set([...files, ...downloads].map(({ file }) => file));
  const offers = data.offers.filter(({ file }) => !taken.has(file));
  const isBusy = download.isPending || downloads.some(isRunning);
  return (
    <div className="grid grid-cols-1 gap-5">
      <section>
        <h3 className={heading}>{t("installedModels")}</h3>
        {files.length === 0 && downloads.length === 0 ? (
          <p className="text-fg-3">{t("none")}</p>
        ) : (
          <ul className={list}>
            {files.map((model) => (
              <li className={modelRow} key={model.file}>
                <div className="grid min-w-0 flex-[1_1_14rem] gap-0.5">
                  <span className="font-medium wrap-anywhere">{model.name}</span>
                  <span className="text-xs text-fg-3">
                    <ModelFigures {...model} />
                  </span>
                </div>
                {model.file === used ? (
                  <Badge tone="success">
                    <Check className="size-3.5 stroke-2" aria-hidden="true" />
                    {t("settings:inUse")}
                  </Badge>
                ) : (
                  <div className="flex gap-2">
                    <Button size="sm" onClick={() => onUse(model.file)}>
                      {t("settings:useProvider", { name: model.name })}
                    </Button>
                    <Button
                      size="sm"
                      variant="quiet"
                      aria-label={t("deleteNamed", { name: model.name })}
                      onClick={() => setDeleting(model)}
                    >
                      {t("delete")}
                    </Button>
                  </div>
                )}
              </li>
            ))}
            {downloads.map((each) => (
              <DownloadRow
                key={each.id}
                download={each}
                secondsLeft={isRunning(each) ? data.secondsLeft : null}
              />
            ))}
          </ul>
        )}
      </section>
      {hub === null ? (
        <Notice>
          <p>{t("offline")}</p>
        </Notice>
      ) : data.offers.length === 0 ? (
        <Notice kind="warn">
          <p>{t("noneFits")}</p>
        </Notice>
      ) : (
        offers.length > 0 && (
          <section>
            <h3 className={heading}>{t("choose")}</h3>
            <ul className={list}>
              {offers.map((offer) => (
                <li className={modelRow} key={offer.id}>
                  <div className="grid min-w-0 flex-[1_1_14rem] gap-0.5">
                    <span className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium">
                      {offer.name}
                      {offer.isRecommended && <Badge tone="accent">{t("recommended")}</Badge>}
                    </span>
                    <span className="text-fg-2">{t(`use.${offer.use}`)}</span>
                    <span className="flex flex-wrap gap-x-3 gap-y-0.5 text-xs text-fg-3">
                      <ModelFigures {...offer} />
                      <span>{offer.vendor}</span>
                      <LicenseLink {...offer} />
                    </span>
                  </div>
                  <Button
                    size="sm"
                    aria-label={t("downloadNamed", { name: offer.name })}
                    disabled={isBusy}
                    onClick={() => download.mutate({ id: offer.id, useWhenReady: false })}
                  >
                    {t("download")}
                  </Button>
                </li>
              ))}
            </ul>
            <FieldHelp className="mt-2">{t("accept")}</FieldHelp>
          </section>
        )
      )}
      <FieldHelp>{t("own")}</FieldHelp>
      {deleting && (
        <ConfirmDialog
          open
          title={t("deleteNamed", { name: deleting.name })}
          text={
            data.offers.some(({ file }) => file === deleting.file)
              ? `${t("deleteText")} ${t("deleteAgain")}`
              : t("deleteText")
          }
          action={t("delete")}
          onConfirm={async () => {
            await remove.mutateAsync(deleting.file);
            setDeleting(null);
          }}
          onClose={() => setDeleting(null)}
        />
      )}
    </div>
  );
}
