import { useTranslation } from "react-i18next";
import {
  DownloadRow,
  LicenseLink,
  ModelFigures,
} from "../../../components/provider/local-model-parts.tsx";
import { Badge } from "../../../components/ui/badge.tsx";
import { FieldHelp } from "../../../components/ui/field.tsx";
import { isRunning, type KnownModels } from "../../../lib/local-models.ts";

export interface LocalChoice {
  file: string;
  /** Of an offer; null for an installed file. */
  id: string | null;
}

/** Installed models, and those that may be downloaded. */
export function choicesOf({ files, offers, hub }: KnownModels) {
  const installed = new Set(files.map(({ file }) => file));
  return [
    ...files.map((model) => ({ ...model, offer: null })),
    ...(hub === null ? [] : offers.filter(({ file }) => !installed.has(file))).map((offer) => ({
      ...offer,
      offer,
    })),
  ];
}

/** The choice without one by the person: what is there, else what is recommended. */
export function preselect(models: KnownModels): LocalChoice | null {
  const choices = choicesOf(models);
  const choice = choices.find(({ offer }) => offer?.isRecommended !== false) ?? choices[0];
  return choice ? { file: choice.file, id: choice.offer?.id ?? null } : null;
}

/** The models of which one will write the answers on this computer. */
export function LocalModelChoice({
  models,
  chosen,
  onChoose,
}: {
  models: KnownModels;
  chosen: string | null;
  onChoose: (choice: LocalChoice) => void;
}) {
  const { t } = useTranslation("local-models");
  const downloading = models.downloads;
  return (
    <>
      <div className="grid grid-cols-1 gap-2" role="radiogroup" aria-label={t("choose")}>
        {choicesOf(models).map(({ file, name, offer, ...model }) => (
          <div
            key={file}
            className="relative flex flex-wrap items-center gap-x-4 gap-y-1 rounded-md border border-line bg-surface px-4 py-3 hover:border-strong hover:bg-hover has-checked:border-accent-solid has-checked:bg-accent-subtle has-checked:inset-ring has-checked:inset-ring-accent-solid has-focus-visible:outline-2 has-focus-visible:outline-focus"
          >
            <label className="grid min-w-0 flex-[1_1_16rem] cursor-pointer gap-0.5">
              <input
                type="radio"
                name="local-model"
                className="absolute inset-0 cursor-pointer opacity-0"
                checked={file === chosen}
                onChange={() => onChoose({ file, id: offer?.id ?? null })}
              />
              <span className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium wrap-anywhere">
                {name}
                {offer === null ? (
                  <Badge tone="success">{t("installed")}</Badge>
                ) : (
                  offer.isRecommended && <Badge tone="accent">{t("recommended")}</Badge>
                )}
              </span>
              {offer && <span className="text-fg-2">{t(`use.${offer.use}`)}</span>}
            </label>
            <span className="grid gap-0.5 text-xs text-fg-2 md:justify-items-end">
              <ModelFigures {...model} />
              {offer && (
                <span className="flex gap-2">
                  {offer.vendor}
                  <span className="relative z-1">
                    <LicenseLink {...offer} />
                  </span>
                </span>
              )}
            </span>
          </div>
        ))}
      </div>
      {downloading.length > 0 && (
        <ul className="divide-y divide-subtle rounded-md border border-line">
          {downloading.map((download) => (
            <DownloadRow
              key={download.id}
              download={download}
              secondsLeft={isRunning(download) ? models.secondsLeft : null}
            />
          ))}
        </ul>
      )}
      <FieldHelp>
        {models.files.some(({ file }) => file === chosen) ? t("own") : t("accept")}
      </FieldHelp>
      {models.files.every(({ file }) => file !== chosen) && (
        <FieldHelp>{t("background")}</FieldHelp>
      )}
    </>
  );
}
